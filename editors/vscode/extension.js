// The client: starts `worldc lsp` and hands it the texts; all else is the server's.
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("world");
  const stdlib = settings.get("stdlib");
  const server = {
    command: settings.get("server"),
    args: stdlib ? ["lsp", "--stdlib", stdlib] : ["lsp"],
    transport: TransportKind.stdio,
  };
  const options = {
    documentSelector: [{ language: "world" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.world") },
  };
  client = new LanguageClient("world", "World", server, options);
  return client.start();
}

async function restart() {
  if (client) await client.stop();
  return start();
}

// The selection, or the word at the cursor, as an expression of the world as it is written.
async function ask() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) return;
  const { document, selection } = editor;
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active, /[A-Za-z_][\w.]*/) : selection;
  if (!range) return;
  const expression = document.getText(range);
  try {
    const value = await vscode.commands.executeCommand("world.value", document.uri.toString(), expression);
    vscode.window.showInformationMessage(`${expression} = ${value}`);
  } catch (problem) {
    vscode.window.showErrorMessage(`${expression}: ${problem.message}`);
  }
}

exports.activate = function (context) {
  context.subscriptions.push(vscode.commands.registerCommand("world.restart", restart), vscode.commands.registerCommand("world.ask", ask));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("world") && restart())
  );
  return start();
};

exports.deactivate = () => client && client.stop();
