/** The first line of a prompt that leaves the task to an agent or a person, even if this service could run it. */
const MARKER = /^\s*#\s*agent\s*(?:\r?\n|$)/i

export function wantsAgent(prompt: string | null): boolean {
  return prompt !== null && MARKER.test(prompt)
}

export function withoutMarker(prompt: string): string {
  return prompt.replace(MARKER, '').trim()
}
