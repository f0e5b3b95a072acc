// Loaded before the command, as `trapping.mjs?GLUE`: makes the module fail from one SIGUSR2 to the next.

const { Work } = await import(new URL(import.meta.url).searchParams.get("glue"));
const { step } = Work.prototype;
/** Where the module has no memory: what stands for an operation there cannot be read. */
const NOWHERE = 0xffff_fff0;

function failing(replies) {
  return step.call(Object.assign(Object.create(Work.prototype), { __wbg_ptr: NOWHERE }), replies);
}

process.on("SIGUSR2", () => {
  Work.prototype.step = Work.prototype.step === step ? failing : step;
});
