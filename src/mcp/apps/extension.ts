import { randomUUID } from 'node:crypto'

/** The id of the MCP Apps extension: https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx */
export const APPS = 'io.modelcontextprotocol/ui'

export const PAGE_TYPE = 'text/html;profile=mcp-app'

/** Returns whether a client can show HTML pages. `settings` is the client's declaration of the extension. */
export function takesPages(settings: object | undefined): boolean {
  if (settings === undefined) return false
  const { mimeTypes = [PAGE_TYPE] }: { mimeTypes?: unknown } = settings
  return Array.isArray(mimeTypes) && mimeTypes.includes(PAGE_TYPE)
}

const SESSION = 'apps-'

/**
 * Creates a session id from which any replica can see that the client declared the extension. Clients of the 2025 revisions
 * declare it only in `initialize`.
 */
export function newAppsSession(): string {
  return `${SESSION}${randomUUID()}`
}

export function isAppsSession(id: string | null): boolean {
  return id?.startsWith(SESSION) ?? false
}
