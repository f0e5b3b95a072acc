// Imported before the package, which then takes itself to run on macOS.

Object.defineProperty(process, "platform", { value: "darwin" });
