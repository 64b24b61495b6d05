import { randomUUID } from 'node:crypto'

/** Pages in a client's conversation: https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx */
export const APPS = 'io.modelcontextprotocol/ui'

/** The media type of such pages. */
export const PAGE_TYPE = 'text/html;profile=mcp-app'

/** Whether a client shows pages, by the settings with which it declares the extension. */
export function takesPages(settings: object | undefined): boolean {
  if (settings === undefined) return false
  const { mimeTypes = [PAGE_TYPE] }: { mimeTypes?: unknown } = settings
  return Array.isArray(mimeTypes) && mimeTypes.includes(PAGE_TYPE)
}

const SESSION = 'apps-'

/**
 * The session of a client that declared it with `initialize`, as revisions of 2025 do once and for all. The id itself says so, and
 * nothing is kept: any replica can answer the next request.
 */
export function newAppsSession(): string {
  return `${SESSION}${randomUUID()}`
}

export function isAppsSession(id: string | null): boolean {
  return id?.startsWith(SESSION) ?? false
}
