import type { Post } from './shapes.ts'

const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

/** The words of a post as they were written: X shortens links, adds one for media, and escapes three characters. */
export function textOf({ text, note_tweet, entities }: Post): string {
  const links = entities?.urls ?? []
  const whole = note_tweet?.text ?? text
  const long = links.reduce(
    (words, { url, expanded_url, media_key }) => words.replaceAll(url, media_key === undefined ? expanded_url : ''),
    whole,
  )
  return long.replace(/&(amp|lt|gt);/g, (_, name: string) => NAMES[name] ?? '').trim()
}

/** For comparing: without regard to white space, and to what X adds to links, a scheme and a slash at the end. */
export function comparable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/https?:\/\//g, '')
    .replace(/\/(?=\s|$)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
