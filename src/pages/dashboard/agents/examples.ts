import { readdirSync, readFileSync } from 'node:fs'

/** A program to begin with. */
interface Example {
  name: string
  /** What it does, in a sentence. */
  words: string
  code: string
}

const FOLDER = new URL('../../../../examples/', import.meta.url)

/** The examples of the project, by their names. */
export const EXAMPLES: Example[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.rb'))
  .sort()
  .map((file) => {
    const code = readFileSync(new URL(file, FOLDER), 'utf8')
    return { name: file.slice(0, -'.rb'.length), words: firstSentence(code), code }
  })

function firstSentence(code: string): string {
  const words = /^#\s*(.+)/.exec(code)?.[1] ?? ''
  return words.split(/(?<=\.)\s/)[0] ?? words
}
