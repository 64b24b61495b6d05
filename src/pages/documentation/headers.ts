import { ALWAYS } from '../parts/asset.ts'

/** One script of our own, no inline script or style, and nothing from elsewhere. */
const OF_PAGES = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
}

/** Headers of what the documentation answers. It is the same for everybody, and held by its tag. */
export function answerHeaders(type: string): Record<string, string> {
  return {
    ...ALWAYS,
    ...OF_PAGES,
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    Vary: 'Accept',
  }
}
