/** The environment variable that holds the token, for clients and for `npm run exec`. */
const TOKEN_VARIABLE = 'SHOPWRIGHT_TOKEN'

export interface ClientConfiguration {
  client: string
  /** The place to paste the text: `a terminal`, or a file. */
  place: string
  text: string
}

/** Shown above the configurations. */
export const CONFIGURATION_NOTE = `First export ${TOKEN_VARIABLE}=…. The Claude Code command writes its value to your own configuration. The files for Cursor and VS Code hold no token and can be committed: Cursor reads the variable, and VS Code asks for the token once.`

/** Configurations to paste into common clients; shown at the first start, by `token create`, in the README and in the documentation. */
export function clientConfigurations(publicUrl: string): ClientConfiguration[] {
  const url = `${publicUrl}/mcp`
  return [
    {
      client: 'Claude Code',
      place: 'a terminal',
      text: `claude mcp add --transport http shopwright ${url} --header "Authorization: Bearer $${TOKEN_VARIABLE}"`,
    },
    { client: 'Cursor', place: '.cursor/mcp.json', text: json(forCursor(url)) },
    { client: 'VS Code', place: '.vscode/mcp.json', text: json(forVSCode(url)) },
  ]
}

function forCursor(url: string): object {
  return { mcpServers: { shopwright: { url, headers: bearer(`env:${TOKEN_VARIABLE}`) } } }
}

function forVSCode(url: string): object {
  const id = 'shopwright-token'
  return {
    inputs: [{ type: 'promptString', id, description: 'Shopwright API token', password: true }],
    servers: { shopwright: { type: 'http', url, headers: bearer(`input:${id}`) } },
  }
}

/** Both clients expand `${…}` when they connect. */
function bearer(variable: string): object {
  return { Authorization: `Bearer \${${variable}}` }
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}
