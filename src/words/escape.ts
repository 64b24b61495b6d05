const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that HTML shows as it is, also within an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/** Text in a message to Slack, which reads `<!channel>` and links between these characters. */
export function escapeForSlack(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!)
}

/** Text in a message to Discord, which calls everybody at `@everyone`, and reads these characters as marks of its own. */
export function escapeForDiscord(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<]/g, '\\$&').replaceAll('@', '@\u200b')
}
