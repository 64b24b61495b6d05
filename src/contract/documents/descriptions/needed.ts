import type { FieldSpec } from '../../declarations/field.ts'
import type { Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import type { FindNoun } from '../schemas.ts'

/** Returns the resources whose ids an operation needs: that of its path and those of required references. */
export function neededNouns(operation: OperationDeclaration, findNoun: FindNoun): Noun[] {
  const required = Object.values(operation.body ?? {}).filter(({ spec }) => spec.required && spec.relation)
  const own = operation.path.includes(`/${operation.noun.plural}/{`) ? [operation.noun] : []
  const others = required.map(({ spec }) => findNoun(spec.relation!.noun)).filter((noun) => noun !== undefined)
  return [...new Set([...own, ...others])]
}

/** Returns the lists that can find a row: the resource's own and, if it has no text filter, a related list that has one. */
export function findingLists(
  noun: Noun,
  operations: readonly OperationDeclaration[],
  findNoun: FindNoun,
): OperationDeclaration[] {
  const list = listOf(noun, operations)
  if (!list) return []
  if (hasTextFilter(list)) return [list]
  const through = Object.values(list.query)
    .map(({ spec }) => spec.relation && findNoun(spec.relation.noun))
    .map((other) => other && listOf(other, operations))
    .find((other) => other !== undefined && hasTextFilter(other))
  return through ? [list, through] : [list]
}

function listOf(noun: Noun, operations: readonly OperationDeclaration[]): OperationDeclaration | undefined {
  return operations.find((operation) => operation.kind === 'list' && operation.noun === noun)
}

function hasTextFilter({ query }: OperationDeclaration): boolean {
  return ['query', 'email', 'code', 'name'].some((name) => isText(query[name]?.spec))
}

function isText(spec: FieldSpec | undefined): boolean {
  return spec !== undefined && spec.type === 'string' && !spec.relation
}
