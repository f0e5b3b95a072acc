// The directory that a person picked last: its handle is kept in this browser, so that it can be opened
// again without the picker.

const DATABASE = "skillshelf-playground";
const HANDLES = "handles";
const LAST = "last";

/** What the type library does not have yet. */
type Handle = FileSystemDirectoryHandle & {
  requestPermission?(of: { mode: "read" }): Promise<PermissionState>;
};

export async function keepDirectory(handle: FileSystemDirectoryHandle): Promise<void> {
  await transaction("readwrite", (handles) => handles.put(handle, LAST));
}

export async function keptDirectory(): Promise<FileSystemDirectoryHandle | undefined> {
  return transaction("readonly", (handles) => handles.get(LAST));
}

/** Whether it may be read; the browser asks the person where it has to. */
export async function mayRead(handle: Handle): Promise<boolean> {
  if (handle.requestPermission === undefined) return true;
  // Who closes the question has not answered it.
  return (await handle.requestPermission({ mode: "read" })) === "granted";
}

async function transaction<T>(
  mode: IDBTransactionMode,
  ask: (handles: IDBObjectStore) => IDBRequest,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(HANDLES);
  const database = await done<IDBDatabase>(opening);
  try {
    return await done<T>(ask(database.transaction(HANDLES, mode).objectStore(HANDLES)));
  } finally {
    database.close();
  }
}

function done<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
