import { type FieldErrors, requireValid } from '../../../contract/declarations/errors.ts'
import type { Fields } from '../../../contract/declarations/field.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import { newId } from '../../../contract/values/ids.ts'
import { inWords } from '../../../format/names.ts'
import type { Context } from '../../../records/context.ts'
import { requireReadyFiles } from '../file/show.ts'
import { holdFiles } from './access.ts'
import { ANY_CONTENT, CONTENT_FIELDS, type ItemType, type WrittenChapter } from './written.ts'

type Values = Record<string, unknown>
type EventSession = { starts_at: string; ends_at: string }

/** Returns the new content of an experience. Missing fields keep their stored values or get defaults. Throws a 422. */
export async function settleContent(
  context: Context,
  type: ItemType,
  given: Values,
  before: Values | null,
): Promise<Values> {
  const fields: Fields = CONTENT_FIELDS[type]
  requireValid(misplaced(type, given))
  const first = before ?? defaultsOf(fields, type)
  const content = { ...first, ...namedOf(fields, given) }
  requireValid(missing(fields, content))
  if (Array.isArray(given.files)) content.files = await requireReadyFiles(context, given.files as string[], 'files')
  if (Array.isArray(given.chapters)) content.chapters = numbered(given.chapters as WrittenChapter[])
  if (Array.isArray(given.sessions)) requireValid(endsBeforeStarts(given.sessions as EventSession[]))
  await holdFiles(context, content)
  return content
}

/** Checks of a new experience that need only the request body. Each checks one field, so that no error hides others. */
export const CONTENT_CHECKS: readonly BodyCheck<Context, Values>[] = [
  ...Object.keys(ANY_CONTENT).map((name) => ({
    fields: ['item_type', name],
    check: (_: Context, { item_type, ...given }: Values) =>
      item_type && requireFitting(item_type as ItemType, name, given),
  })),
  {
    fields: ['sessions'],
    check: (_, { sessions }) => Array.isArray(sessions) && requireValid(endsBeforeStarts(sessions as EventSession[])),
  },
]

function requireFitting(type: ItemType, name: string, given: Values): void {
  const field = (CONTENT_FIELDS[type] as Fields)[name]
  requireValid(field ? missing({ [name]: field }, given) : misplaced(type, { [name]: given[name] }))
}

function namedOf(fields: Fields, given: Values): Values {
  const names = Object.keys(fields).filter((name) => given[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}

function defaultsOf(fields: Fields, type: ItemType): Values {
  const known = Object.entries(fields).map(([name, { spec }]) => [name, spec.fallback])
  return { ...Object.fromEntries(known), ...(type === 'forum' && { topics: [] }) }
}

function misplaced(type: ItemType, given: Values): FieldErrors {
  const own = Object.keys(CONTENT_FIELDS[type])
  const others = Object.keys(ANY_CONTENT).filter((name) => given[name] !== undefined && !own.includes(name))
  return Object.fromEntries(others.map((name) => [name, [`does not apply to the experience type ${inWords(type)}`]]))
}

function missing(fields: Fields, content: Values): FieldErrors {
  const names = Object.entries(fields).filter(([name, { spec }]) => spec.required && content[name] === undefined)
  return Object.fromEntries(names.map(([name]) => [name, ["can't be blank"]]))
}

/** Numbers chapters and lessons. Those with an id keep it, unless it repeats an earlier one. */
function numbered(chapters: WrittenChapter[]): Values[] {
  const taken = new Set<string>()
  const idOf = (given: string | null | undefined, prefix: string) => {
    const id = given && !taken.has(given) ? given : newId(prefix)
    taken.add(id)
    return id
  }
  return chapters.map(({ id, title, lessons }, index) => ({
    id: idOf(id, 'chap'),
    title,
    position: index + 1,
    lessons: lessons.map((lesson, at) => ({
      content_html: null,
      video_url: null,
      duration_seconds: null,
      ...lesson,
      id: idOf(lesson.id, 'less'),
      position: at + 1,
    })),
  }))
}

function endsBeforeStarts(sessions: EventSession[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const [index, { starts_at, ends_at }] of sessions.entries())
    if (ends_at <= starts_at) errors[`sessions.${index}.ends_at`] = ['must be after the start']
  return errors
}
