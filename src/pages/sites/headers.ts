/**
 * A site runs its own scripts and shows its own files; nothing is loaded from elsewhere, sent elsewhere or framed. It has an
 * origin of its own, so what it does there reaches nothing of the service.
 */
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

/** Of everything that a host of a site answers. */
export const OF_SITES = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** A rebuild replaces a site at once, so whoever keeps a file asks whether it is still right. */
export const OPEN = { 'Cache-Control': 'no-cache' }
export const CLOSED = { 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex, nofollow', Vary: 'Cookie' }
export const UNKEPT = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' }
