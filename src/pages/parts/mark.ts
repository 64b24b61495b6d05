import { html } from 'hono/html'

/** The letter that stands for a shop, or for one thing of it, in place of a picture. */
export function letterOf(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? ''
}

/** The mark of a shop, before its name: its logo, where it has one. */
export function mark(name: string, logo: string | null = null): ReturnType<typeof html> {
  if (logo !== null) return html`<img class="logo" src="${logo}" alt="" decoding="async">`
  return html`<span class="mark" aria-hidden="true">${letterOf(name)}</span>`
}
