const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, including attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/** Escapes text for a Slack message, where these characters enclose `<!channel>` and links. */
export function escapeForSlack(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!)
}

/** Escapes text for a Discord message, where these characters are markup and `@everyone` notifies everybody. */
export function escapeForDiscord(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<]/g, '\\$&').replaceAll('@', '@\u200b')
}
