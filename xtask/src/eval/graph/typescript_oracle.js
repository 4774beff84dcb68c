// Asks TypeScript's language service where names are defined: a JSON list of places on stdin, one of answers on stdout.
const fs = require("fs");
const path = require("path");
const [typescript, folder] = process.argv.slice(2);
const ts = require(typescript);
const root = fs.realpathSync(folder);
const { files, sites } = JSON.parse(fs.readFileSync(0, "utf8"));
const options = {
  allowJs: true, checkJs: false, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler, experimentalDecorators: true, skipLibCheck: true,
  jsx: ts.JsxEmit.Preserve, types: [], strict: true,
};
const names = files.map((file) => path.join(root, file));
const host = {
  getScriptFileNames: () => names,
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) => fs.existsSync(name) ? ts.ScriptSnapshot.fromString(fs.readFileSync(name, "utf8")) : undefined,
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
};
const service = ts.createLanguageService(host, ts.createDocumentRegistry());
const program = service.getProgram();
const answers = sites.map((site) => {
  const found = service.getDefinitionAtPosition(path.join(root, site.file), site.offset) || [];
  return found.map((one) => {
    const inside = one.fileName.startsWith(root + path.sep);
    const source = program.getSourceFile(one.fileName);
    const start = source ? source.getLineAndCharacterOfPosition(one.textSpan.start).line + 1 : 0;
    const kind = one.kind === "module" || one.kind === "script" ? "module" : one.kind;
    return { file: inside ? path.relative(root, one.fileName) : null, line: kind === "module" ? 0 : start, kind };
  });
});
process.stdout.write(JSON.stringify(answers));
