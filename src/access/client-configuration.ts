export const TOKEN_VARIABLE = 'SHOPWRIGHT_TOKEN'

export interface ClientConfiguration {
  client: string
  /** The place where the text belongs: `a terminal`, or the name of a file. */
  place: string
  text: string
}

export const CONFIGURATION_NOTE = `First export ${TOKEN_VARIABLE}=…. The Claude Code command writes its value to your own configuration. The files hold no token: Cursor, Gemini CLI and Codex read the variable, and VS Code asks for the token once.`

/** Returns the command that connects Claude Code with the token in the shell's variable. */
export function claudeCodeCommand(publicUrl: string): string {
  return `claude mcp add --transport http shopwright ${publicUrl}/mcp --header "Authorization: Bearer $${TOKEN_VARIABLE}"`
}

export function clientConfigurations(publicUrl: string): ClientConfiguration[] {
  const url = `${publicUrl}/mcp`
  return [
    { client: 'Claude Code', place: 'a terminal', text: claudeCodeCommand(publicUrl) },
    {
      client: 'Cursor',
      place: '.cursor/mcp.json',
      text: json({ mcpServers: { shopwright: { url, headers: bearer(`env:${TOKEN_VARIABLE}`) } } }),
    },
    { client: 'VS Code', place: '.vscode/mcp.json', text: json(forVSCode(url)) },
    {
      client: 'Gemini CLI',
      place: '~/.gemini/settings.json',
      text: json({ mcpServers: { shopwright: { httpUrl: url, headers: bearer(TOKEN_VARIABLE) } } }),
    },
    { client: 'Codex', place: '~/.codex/config.toml', text: forCodex(url) },
  ]
}

export const SIGN_IN_NOTE = 'Claude and ChatGPT connect from the internet, so the service needs a public https address.'

/** Returns what people enter in clients that let them sign in. */
export function signInConfigurations(publicUrl: string): ClientConfiguration[] {
  const url = `${publicUrl}/connect`
  return [
    { client: 'Claude', place: 'Customize, Connectors, on the web and on the desktop', text: url },
    { client: 'ChatGPT', place: 'a new connector, in developer mode', text: url },
    {
      client: 'Claude Code',
      place: 'a terminal; then sign in with /mcp',
      text: `claude mcp add --transport http shopwright ${url}`,
    },
    { client: 'Cursor', place: '.cursor/mcp.json', text: JSON.stringify({ mcpServers: { shopwright: { url } } }) },
    {
      client: 'VS Code',
      place: '.vscode/mcp.json',
      text: JSON.stringify({ servers: { shopwright: { type: 'http', url } } }),
    },
    {
      client: 'Gemini CLI',
      place: 'a terminal; then sign in with /mcp auth shopwright',
      text: `gemini mcp add --transport http shopwright ${url}`,
    },
    {
      client: 'Codex',
      place: 'a terminal',
      text: `codex mcp add shopwright --url ${url} && codex mcp login shopwright`,
    },
  ]
}

function forVSCode(url: string): object {
  const id = 'shopwright-token'
  return {
    inputs: [{ type: 'promptString', id, description: 'Shopwright API token', password: true }],
    servers: { shopwright: { type: 'http', url, headers: bearer(`input:${id}`) } },
  }
}

function forCodex(url: string): string {
  return `[mcp_servers.shopwright]\nurl = "${url}"\nbearer_token_env_var = "${TOKEN_VARIABLE}"`
}

/** Returns an Authorization header with a placeholder that the MCP client replaces with the variable's value. */
function bearer(variable: string): object {
  return { Authorization: `Bearer \${${variable}}` }
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}
