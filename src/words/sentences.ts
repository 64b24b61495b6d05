/** With a capital at its start: `price variant` → `Price variant`. */
export function sentenceCase(words: string): string {
  const [first = ''] = words
  return first.toUpperCase() + words.slice(first.length)
}

/** With the full stop that it may lack. */
export function withStop(words: string): string {
  return words === '' || /[.!?]$/.test(words) ? words : `${words}.`
}

/** A refusal as a sentence: `status must be one of draft` → `Status must be one of draft.` */
export function inSentence(message: string): string {
  return withStop(sentenceCase(message))
}
