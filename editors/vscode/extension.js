"use strict";

// Starts `advisor lsp` and shows what it says. All else is in the server.

const { window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SETTINGS_FILES = "**/{advisor,pyproject}.toml";
let client;

async function activate(context) {
  const settings = workspace.getConfiguration("advisor");
  const command = settings.get("command");
  client = new LanguageClient(
    "advisor",
    "Cisco IOS advisor",
    { command, args: ["lsp"] },
    {
      documentSelector: [
        { language: "cisco-ios" },
        { scheme: "file", pattern: settings.get("files") },
      ],
      synchronize: { fileEvents: workspace.createFileSystemWatcher(SETTINGS_FILES) },
    },
  );
  context.subscriptions.push({ dispose: deactivate });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `advisor: ${command} lsp does not start (${error.message}). ` +
        "Install it with its extra lsp, and set advisor.command to its path.",
    );
  }
}

async function deactivate() {
  const running = client;
  client = undefined;
  await running?.stop();
}

module.exports = { activate, deactivate };
