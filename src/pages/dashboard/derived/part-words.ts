import type { Contents } from '../../../resources/content/experience/content.ts'
import type { FormView, PartWords } from '../kit/visit.ts'

type Inner<Value> = NonNullable<Value> extends readonly (infer Entry)[] ? Entry : NonNullable<Value>

/** The paths of the parts of a value, without positions: `chapters.lessons.video_url`. */
type PathsIn<Value> = Value extends object
  ? { [Name in keyof Value & string]: Name | `${Name}.${PathsIn<Inner<Value[Name]>>}` }[keyof Value & string]
  : never

/** Labels by path. The compiler rejects a path that the declaration does not have. */
export type WordsIn<Value> = { readonly [Path in PathsIn<Value>]?: PartWords }

const OF_COURSE = {
  'chapters.lessons.content_html': { label: 'Text' },
  'chapters.lessons.video_url': { label: 'Video URL' },
} satisfies WordsIn<Contents['course']>

const WORDS = new Map<string, PartWords>(Object.entries(OF_COURSE))

export function partWords(path: string, own: FormView['parts'] = {}): PartWords {
  return own[plainPath(path)] ?? WORDS.get(plainPath(path)) ?? {}
}

/** Removes the positions of entries from a path: `fields.0.label` becomes `fields.label`. */
export function plainPath(path: string): string {
  return path.replace(/\.\d+/g, '')
}

export function inputId(path: string): string {
  return `field-${path}`
}
