import { randomUUID } from 'node:crypto'

/** See https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx */
export const APPS = 'io.modelcontextprotocol/ui'

/** The media type of these pages. */
export const PAGE_TYPE = 'text/html;profile=mcp-app'

/** Returns whether a client shows pages, according to the settings with which it declares the extension. */
export function takesPages(settings: object | undefined): boolean {
  if (settings === undefined) return false
  const { mimeTypes = [PAGE_TYPE] }: { mimeTypes?: unknown } = settings
  return Array.isArray(mimeTypes) && mimeTypes.includes(PAGE_TYPE)
}

const SESSION = 'apps-'

/**
 * Returns the session id of a client that declared the extension with `initialize`, which revisions of 2025 do once. The id itself carries
 * the fact and nothing is stored, so that any replica can answer the next request.
 */
export function newAppsSession(): string {
  return `${SESSION}${randomUUID()}`
}

export function isAppsSession(id: string | null): boolean {
  return id?.startsWith(SESSION) ?? false
}
