import type { Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'

const GENERAL_RULES = `More: describe("order"), describe("POST /refunds"), describe("refund part of an order")
L GET /orders, C POST /orders, G GET, U PATCH, D DELETE /orders/{id}; +x POST /orders/{id}/x
All: id, object, created_at, updated_at (if it can change). metadata: text by key; changes merge, null removes. expand="customer,charge": ids become whole rows. Amounts: integers in minor units. Times: answered in UTC, given with any offset; filters take dates too (UTC) and month("2026-10") in the shop’s zone.
Lists: limit (20, max 100), starting_after (last id); x[]: one or several; metadata{}: metadata: {color: "red"}; ranges: created_at: {gte: "2026-10-01", lt: "2026-11-01"}, also gt, lte; amount: 1..5
describe("programs"): plans, time in the shop’s zone, many rows in the background, rehearsals of tasks
Any call: parameter_missing, permission_denied, resource_missing, validation_failed. An error undoes all calls. Event data: what GET answers for the resource.`

export function mapText(nouns: readonly Noun[], operations: readonly OperationDeclaration[]): string {
  return [GENERAL_RULES, ...mapLines(nouns, operations)].join('\n')
}

function mapLines(nouns: readonly Noun[], operations: readonly OperationDeclaration[]): string[] {
  return nouns.map((noun) => {
    const own = operations.filter((operation) => operation.noun === noun)
    const verbs = verbsOf(noun, own)
    return [noun.name, verbs, gistOf(noun)].filter(Boolean).join(' ')
  })
}

const LETTERS: Record<string, string> = { list: 'L', create: 'C', retrieve: 'G', update: 'U', delete: 'D' }

/** Returns the operations of a noun as `LCGUD +archive +restore`: letters for the usual ones, names for actions, otherwise paths. */
function verbsOf(noun: Noun, own: readonly OperationDeclaration[]): string {
  const letters = own.filter((operation) => isUsual(noun, operation)).map(({ kind }) => LETTERS[kind] ?? 'C')
  const others = own.filter((operation) => !isUsual(noun, operation))
  const byPath = Map.groupBy(others, ({ path }) => path)
  const named = [...byPath].map(([path, operations]) =>
    actionOf(
      noun,
      path,
      operations.map(({ method }) => method),
    ),
  )
  return [letters.join(''), ...named].filter(Boolean).join(' ')
}

function isUsual({ plural }: Noun, { method, kind, path }: OperationDeclaration): boolean {
  if (kind === 'custom') return method === 'POST' && path === `/${plural}`
  return kind in LETTERS && (path === `/${plural}` || new RegExp(`^/${plural}/\\{\\w+\\}$`).test(path))
}

function actionOf({ plural }: Noun, path: string, methods: string[]): string {
  const action = new RegExp(`^/${plural}/\\{\\w+\\}/(\\w+)$`).exec(path)?.[1]
  return action && methods.join() === 'POST' ? `+${action}` : `${methods.join()} ${path}`
}

function gistOf({ description, gist }: Noun): string {
  if (gist !== null) return gist
  const [first = ''] = description.split(/[.,:;(]/)
  return first.replace(/^(?:An?|The|One) /, '')
}
