// Compiles what the page imports, in its own Python: node compile.mjs PYODIDE SITE.zip STDLIB.zip
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, site, stdlib] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: pyodide });
const folder = python.runPython("import site; site.getsitepackages()[0]");
python.unpackArchive(new Uint8Array(readFileSync(site)), "zip", { extractDir: folder });
python.FS.writeFile("/tmp/stdlib.zip", new Uint8Array(readFileSync(`${pyodide}/python_stdlib.zip`)));
python.runPython(`
import sys
sys.dont_write_bytecode = True
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash
from py_compile import PycInvalidationMode, compile as compiled
from shutil import make_archive
from zipfile import ZIP_DEFLATED, ZipFile
from advisor.api import page
from advisor.serve.answer import answer
texts = {"example": (page.shipped_folders()[page.EXAMPLE] / "running-config").read_text()}
for part in ("figures", "plan"):
    for moved in ({}, {"tx-ring-limit": 3}):
        answered = answer({"texts": texts, "moved": moved, "part": part})
        assert "error" not in answered, answered["error"]
imported = {str(getattr(module, "__file__", None)) for module in list(sys.modules.values())}
for file in imported:
    if file.endswith(".py") and file.startswith("${folder}"):
        compiled(file, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
make_archive("/tmp/site", "zip", "${folder}")
library = next(path for path in sys.path if path.endswith(".zip"))
with ZipFile("/tmp/stdlib.zip") as source, ZipFile("/tmp/compiled.zip", "w", ZIP_DEFLATED) as made:
    for name in source.namelist():
        text = source.read(name)
        if f"{library}/{name}" in imported:
            code = compile(text, f"{library}/{name}", "exec", dont_inherit=True)
            name, text = f"{name}c", bytes(_code_to_hash_pyc(code, source_hash(text), False))
        made.writestr(name, text)
`);
writeFileSync(site, python.FS.readFile("/tmp/site.zip"));
writeFileSync(stdlib, python.FS.readFile("/tmp/compiled.zip"));
