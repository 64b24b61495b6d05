import type { FirstAccount } from '../access/first-account.ts'
import type { Settings } from '../config.ts'

/** What a start tells: addresses, and on the first one the token and how to connect clients. */
export function greeting(
  publicUrl: string,
  first: FirstAccount | null,
  settings: Pick<Settings, 'BOOTSTRAP_TOKEN'>,
): string[] {
  const lines = [
    '',
    `Shopwright is running.`,
    '',
    `  REST API         ${publicUrl}/v1`,
    `  Agent tools      ${publicUrl}/mcp`,
    `  API description  ${publicUrl}/v1/openapi.json`,
    '',
  ]
  if (first?.token) return [...lines, ...tokenLines(first.token), ...clientLines(publicUrl, first.token)]
  if (first && settings.BOOTSTRAP_TOKEN) return [...lines, 'The first account has the token of BOOTSTRAP_TOKEN.', '']
  return [...lines, 'For another API token: npm run token -- create "My agent"', '']
}

/** Ready to paste into the clients that people use. */
export function clientLines(publicUrl: string, token: string): string[] {
  const headers = { Authorization: `Bearer ${token}` }
  const url = `${publicUrl}/mcp`
  return [
    'Claude Code, in a terminal:',
    '',
    `  claude mcp add --transport http shopwright ${url} --header "Authorization: Bearer ${token}"`,
    '',
    'Cursor, in .cursor/mcp.json:',
    '',
    indented({ mcpServers: { shopwright: { url, headers } } }),
    '',
    'VS Code, in .vscode/mcp.json:',
    '',
    indented({ servers: { shopwright: { type: 'http', url, headers } } }),
    '',
  ]
}

/** The one time that a token is shown. */
export function tokenLines(token: string): string[] {
  return ['Your API token. It is shown this once; keep it like a password:', '', `  ${token}`, '']
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^/gm, '  ')
}
