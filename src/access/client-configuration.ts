const TOKEN_VARIABLE = 'SHOPWRIGHT_TOKEN'

export interface ClientConfiguration {
  client: string
  /** The place where the text belongs: `a terminal`, or the name of a file. */
  place: string
  text: string
}

export const CONFIGURATION_NOTE = `First export ${TOKEN_VARIABLE}=…. The Claude Code command writes its value to your own configuration. The files for Cursor and VS Code hold no token and can be committed: Cursor reads the variable, and VS Code asks for the token once.`

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

/** Returns an Authorization header with a placeholder that the MCP client replaces with the variable's value. */
function bearer(variable: string): object {
  return { Authorization: `Bearer \${${variable}}` }
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}
