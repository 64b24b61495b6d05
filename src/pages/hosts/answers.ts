import { html } from 'hono/html'

/** Blocks content of other sites, requests to them, and framing. These hosts have another origin than the service, so they cannot reach it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const HOST_HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

export const NO_STORE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' }

/** Returns a page with a message, for a host other than the service's own. */
export async function hostMessage(status: number, title: string, words: string, more = {}): Promise<Response> {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem; font: 1.0625rem/1.6 system-ui, sans-serif } h1 { margin: 0 0 0.5rem; font-size: 1.75rem; line-height: 1.2 } p { margin: 0 }</style>
</head>
<body><main><h1>${title}</h1><p>${words}</p></main></body>
</html>`
  const headers = { ...HOST_HEADERS, ...NO_STORE, 'Content-Type': 'text/html; charset=utf-8', ...more }
  return new Response(String(await page), { status, headers })
}
