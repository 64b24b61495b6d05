import { html } from 'hono/html'
import { OF_SITES, UNKEPT } from './headers.ts'

/** What a host of a site says where the site itself says nothing. */
export async function siteMessage(status: number, title: string, words: string, more = {}): Promise<Response> {
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
  const headers = { ...OF_SITES, ...UNKEPT, 'Content-Type': 'text/html; charset=utf-8', ...more }
  return new Response(String(await page), { status, headers })
}

export function noSuchSite(): Promise<Response> {
  return siteMessage(404, 'There is no site here', 'Check the address.')
}

export function notBuilt(): Promise<Response> {
  return siteMessage(404, 'This site is not online yet', 'It has not been built. Look again later.')
}

export function noSuchPage(): Promise<Response> {
  return siteMessage(404, 'Page not found', 'There is no page at this address.')
}

export function notOpen(): Promise<Response> {
  return siteMessage(403, 'This site is not open to you', 'Its owner decides who can visit it.')
}

export function notAllowed(method: string): Promise<Response> {
  return siteMessage(405, 'Not allowed', `${method} is not allowed here.`, { Allow: 'GET, HEAD, OPTIONS' })
}
