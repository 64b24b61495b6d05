import type { FieldSpec } from '../../declarations/field.ts'
import type { Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import type { FindNoun } from '../schemas.ts'

/** The resources that somebody has to find before calling an operation, and by which lists. */
export function neededNouns(operation: OperationDeclaration, findNoun: FindNoun): Noun[] {
  const required = Object.values(operation.body ?? {}).filter(({ spec }) => spec.required && spec.relation)
  const own = operation.path.includes(`/${operation.noun.plural}/{`) ? [operation.noun] : []
  const others = required.map(({ spec }) => findNoun(spec.relation!.noun)).filter((noun) => noun !== undefined)
  return [...new Set([...own, ...others])]
}

/** How to find a row of a resource: its list, and the list by which a name or an address leads to it. */
export function findingLists(
  noun: Noun,
  operations: readonly OperationDeclaration[],
  findNoun: FindNoun,
): OperationDeclaration[] {
  const list = listOf(noun, operations)
  if (!list) return []
  if (takesWords(list)) return [list]
  const through = Object.values(list.query)
    .map(({ spec }) => spec.relation && findNoun(spec.relation.noun))
    .map((other) => other && listOf(other, operations))
    .find((other) => other !== undefined && takesWords(other))
  return through ? [list, through] : [list]
}

function listOf(noun: Noun, operations: readonly OperationDeclaration[]): OperationDeclaration | undefined {
  return operations.find((operation) => operation.kind === 'list' && operation.noun === noun)
}

/** Whether a list can be narrowed by what people call a row. */
function takesWords({ query }: OperationDeclaration): boolean {
  return ['query', 'email', 'code', 'name'].some((name) => isText(query[name]?.spec))
}

function isText(spec: FieldSpec | undefined): boolean {
  return spec !== undefined && spec.type === 'string' && !spec.relation
}
