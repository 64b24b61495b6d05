/** The paths at which MCP clients look for an authorization server (RFC 9728, RFC 8414, OpenID Connect Discovery). */
const OAUTH_METADATA =
  /^\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(\/|$)/

/** Returns a 404 for these paths, or else null. If `/mcp` had metadata, clients would start OAuth and ignore their API token. */
export function answerWellKnown(request: Request): Response | null {
  if (!OAUTH_METADATA.test(new URL(request.url).pathname)) return null
  return Response.json(
    {
      error: 'not_found',
      error_description: 'This endpoint has no authorization server: send an API token as a bearer token.',
    },
    { status: 404, headers: { 'Cache-Control': 'no-store' } },
  )
}
