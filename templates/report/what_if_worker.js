// The product in a worker: Python of Pyodide, and a request answered as by the server.
const base = new URL(".", import.meta.url);
const started = start();
const failed = (why) => `The product does not start in this browser: ${why.message}`;
started.then(
  () => postMessage({ ready: "Paste a configuration, or take the example." }),
  (why) => postMessage({ ready: failed(why) }),
);

async function start() {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", base));
  const site = fetch(new URL("site.zip", base)).then((response) => response.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("pyodide/", base).href });
  const folder = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await site, "zip", { extractDir: folder });
  return python.runPython("from advisor.serve.answer import answer_json; answer_json");
}

onmessage = async ({ data }) => {
  const { number, request } = data;
  try {
    const answer = await started;
    postMessage({ number, answer: JSON.parse(answer(JSON.stringify(request))) });
  } catch (why) {
    postMessage({ number, answer: { error: failed(why) } });
  }
};
