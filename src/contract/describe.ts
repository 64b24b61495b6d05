import { aOrAn, inWords, type Noun } from './noun.ts'
import type { OperationDeclaration } from './operation.ts'
import type { FindNoun } from './schemas.ts'

/** What a caller must know beyond the fields, what the operation returns, and which events it may emit. */
export function describeOperation(operation: OperationDeclaration): string {
  const { description, emits } = operation
  return [description, returns(operation), emits.length > 0 ? `Emits ${emits.join(', ')}.` : '']
    .filter(Boolean)
    .join(' ')
}

/** The names that `expand` takes on a resource, as the documents list them. */
export function expandableNames(noun: Noun, findNoun: FindNoun): string[] {
  return Object.entries(noun.fields).flatMap(([name, { spec }]) => {
    if (!spec.relation) return []
    if (spec.relation.expandable) return [name]
    const inner = spec.relation.kind === 'collection' ? findNoun(spec.relation.noun) : undefined
    if (!inner) return []
    return expandableNames(inner, findNoun)
      .filter((one) => one !== noun.name)
      .map((one) => `${name}.${one}`)
  })
}

function returns({ kind, noun, answersList }: OperationDeclaration): string {
  if (kind === 'delete') return 'Returns {id, object, deleted: true}.'
  if (!answersList) return `Returns ${aOrAn(noun.name)}.`
  return `Returns a page of ${inWords(noun.plural)}${noun.listOrder && `, ${noun.listOrder}`}.`
}
