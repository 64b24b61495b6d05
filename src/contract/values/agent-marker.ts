/** The first line of a brief that is for an agent or a person, whatever this service could build by itself. */
const MARKER = /^\s*#\s*agent\s*(?:\r?\n|$)/i

/** Whether a brief asks for an agent. */
export function wantsAgent(prompt: string | null): boolean {
  return prompt !== null && MARKER.test(prompt)
}

/** The brief without the line that asks for an agent. */
export function withoutMarker(prompt: string): string {
  return prompt.replace(MARKER, '').trim()
}
