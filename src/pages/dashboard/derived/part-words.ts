import type { Contents } from '../../../resources/content/experience/content.ts'
import type { Shown } from '../../../resources/nouns.ts'

/** Labels of a part of a list or an object that do not follow from the part's name. */
interface PartWords {
  label?: string
  hint?: string
  /** The label of one entry of the list. */
  entry?: string
}

type Inner<Value> = NonNullable<Value> extends readonly (infer Entry)[] ? Entry : NonNullable<Value>

/** The paths of the parts of a value, without positions: `chapters.lessons.video_url`. */
type PathsIn<Value> = Value extends object
  ? { [Name in keyof Value & string]: Name | `${Name}.${PathsIn<Inner<Value[Name]>>}` }[keyof Value & string]
  : never

/** Labels by path. The compiler rejects a path that the declaration does not have. */
type WordsIn<Value> = { readonly [Path in PathsIn<Value>]?: PartWords }

const OF_FORM = {
  fields: { label: 'Questions', entry: 'Question' },
  'fields.type': { label: 'Answer type' },
  'fields.label': { label: 'Question' },
  'fields.placeholder': { label: 'Placeholder' },
  'fields.options': { label: 'Choices', hint: 'For single or multiple choice, one per line.' },
  'fields.required': { label: 'Required' },
} satisfies WordsIn<Shown<'form'>>

const OF_COURSE = {
  'chapters.lessons.content_html': { label: 'Text' },
  'chapters.lessons.video_url': { label: 'Video URL' },
} satisfies WordsIn<Contents['course']>

const OF_FORMATION = {
  name_options: { label: 'Names', entry: 'Name' },
  'members.is_natural_person': { label: 'A person, not a company' },
} satisfies WordsIn<Shown<'formation'>>

const WORDS = new Map<string, PartWords>(Object.entries({ ...OF_FORM, ...OF_COURSE, ...OF_FORMATION }))

export function partWords(path: string): PartWords {
  return WORDS.get(plainPath(path)) ?? {}
}

/** Removes the positions of entries from a path: `fields.0.label` becomes `fields.label`. */
export function plainPath(path: string): string {
  return path.replace(/\.\d+/g, '')
}

export function inputId(path: string): string {
  return `field-${path}`
}
