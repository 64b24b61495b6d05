import { claudeCodeCommand, TOKEN_VARIABLE } from '../access/client-configuration.ts'
import type { App } from '../app.ts'
import type { Settings } from '../settings/config.ts'

/** Returns the lines that are printed at each start. Those of the first start also show the token and how to connect clients. */
export function greeting(
  publicUrl: string,
  app: Pick<App, 'services' | 'firstAccount' | 'firstPasswordUrl' | 'isQuiet'>,
  settings: Pick<Settings, 'BOOTSTRAP_TOKEN'>,
): string[] {
  const { services } = app
  const lines = [
    '',
    `Shopwright is running.`,
    '',
    `  Dashboard        ${publicUrl}/dashboard`,
    `  REST API         ${publicUrl}/v1`,
    `  Agent tools      ${publicUrl}/mcp`,
    `  By signing in    ${publicUrl}/connect`,
    `  Documentation    ${publicUrl}/docs`,
    `  API description  ${publicUrl}/v1/openapi.json`,
    `  E-mails          ${services.mail.providerFor({ test: false }).destination}`,
    '',
    ...(app.isQuiet ? [...QUIET, ''] : []),
  ]
  const firstLines = firstStartLines(publicUrl, app, settings)
  if (app.firstAccount) return [...lines, ...firstLines]
  return [...lines, 'To create another API token: npm run token -- create "My agent"', '']
}

/** Returns the secrets that only the first start can show (API token and password link), and how to connect clients. */
export function firstStartLines(
  publicUrl: string,
  { firstAccount, firstPasswordUrl }: Pick<App, 'firstAccount' | 'firstPasswordUrl'>,
  { BOOTSTRAP_TOKEN }: Pick<Settings, 'BOOTSTRAP_TOKEN'>,
): string[] {
  const password = 'Set a password to sign in to the dashboard. The link works once, for 7 days:'
  const token = 'Your API token. It is shown only now; keep it as safe as a password:'
  const lines = firstPasswordUrl === null ? [] : [password, '', `  ${firstPasswordUrl}`, '']
  if (firstAccount?.token) return [...lines, token, '', `  ${firstAccount.token}`, '', ...clientLines(publicUrl)]
  if (!firstAccount || !BOOTSTRAP_TOKEN) return lines
  const note = 'The API token of the first account is the value of BOOTSTRAP_TOKEN.'
  return [...lines, note, '', ...clientLines(publicUrl)]
}

export const QUIET = [
  'This is a quiet copy: it sends no e-mails, webhooks, posts or charges, and does no scheduled work.',
  'When it is to take the place of the service: stop it, run npm run go-live, and start it again without OUTBOUND_DISABLED.',
]

export function clientLines(publicUrl: string): string[] {
  return [
    'To connect Claude Code:',
    '',
    `  export ${TOKEN_VARIABLE}=…`,
    `  ${claudeCodeCommand(publicUrl)}`,
    '',
    `Cursor, VS Code, Gemini CLI, Codex and other clients: ${publicUrl}/docs/clients`,
    '',
  ]
}
