/** Capitalizes the first letter: `price variant` → `Price variant`. */
export function sentenceCase(words: string): string {
  const [first = ''] = words
  return first.toUpperCase() + words.slice(first.length)
}

export function withStop(words: string): string {
  return words === '' || /[.!?]$/.test(words) ? words : `${words}.`
}

/** Turns an error message into a sentence: `status must be one of draft` → `Status must be one of draft.` */
export function inSentence(message: string): string {
  return withStop(sentenceCase(message))
}
