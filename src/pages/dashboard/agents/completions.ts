import type { Noun } from '../../../contract/declarations/noun.ts'
import type { Pipeline } from '../../../pipeline/run.ts'
import { ALWAYS } from '../../parts/asset.ts'

/** What the editor offers while somebody types. */
interface Completion {
  label: string
  /** Beside it, in a few words. */
  detail: string
  /** What it means. */
  info: string
}

interface Completions {
  paths: Completion[]
  fields: Completion[]
  helpers: Completion[]
}

const HELPERS: [label: string, detail: string, info: string][] = [
  ['get', '(path, **query)', 'Reads one resource, or a page of a list.'],
  ['list', '(path, **filters)', 'Reads every row of a list.'],
  ['post', '(path, **body)', 'Creates a resource or performs an action.'],
  ['patch', '(path, **body)', 'Updates a resource.'],
  ['delete', '(path)', 'Deletes something.'],
  ['tools', 'in a search', 'Every operation: tools.search("give money back") returns the five best matches.'],
  ['resources', 'in a search', 'The fields of a resource: resources["customer"].'],
  ['puts', '(text)', 'Prints a line to the output.'],
  ['# dry_run: true', 'first line', 'Shows what it would change without saving anything.'],
  ['# once: ', 'first line', 'Runs at most once in 24 hours per key.'],
  ['# atomic: false', 'first line', 'Commits each call separately.'],
]

/** Paths, fields and helpers, as JSON. They are the same for everybody. */
export function completionsOf({ operations, nouns }: Pick<Pipeline, 'operations' | 'nouns'>): Completions {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const paths = [...byPath].map(([path, some]) => ({
    label: path,
    detail: some.map(({ method }) => method).join(', '),
    info: some.map(({ method, summary }) => `${method}: ${summary}`).join('\n'),
  }))
  const helpers = HELPERS.map(([label, detail, info]) => ({ label, detail, info }))
  return { paths, fields: fieldsOf(nouns), helpers }
}

/** Each name once, with the resources that have it. */
function fieldsOf(nouns: Noun[]): Completion[] {
  const all = nouns.flatMap((noun) =>
    Object.entries(noun.fields).map(([name, { spec }]) => ({ name, noun: noun.name, description: spec.description })),
  )
  return [...Map.groupBy(all, ({ name }) => name)].map(([label, some]) => ({
    label,
    detail: some.length > 2 ? `${some.length} resources` : some.map(({ noun }) => noun).join(', '),
    info: some[0]!.description,
  }))
}

export function completionsAnswer(completions: Completions): Response {
  const headers = { ...ALWAYS, 'Content-Type': 'application/json', 'Cache-Control': 'private, max-age=3600' }
  return new Response(JSON.stringify(completions), { headers })
}
