import type { Noun } from './noun.ts'
import type { OperationDeclaration } from './operation.ts'
import type { FindNoun } from './schemas.ts'

/** What an operation does and returns, in a few sentences made from its declaration. */
export function describeOperation(operation: OperationDeclaration, expandable: string[]): string {
  return [
    sentence(operation.summary),
    operation.description,
    returns(operation),
    expandable.length > 0 && operation.expandable ? `Expandable: ${expandable.join(', ')}.` : '',
    operation.emits.length > 0 ? `Emits ${operation.emits.join(', ')}.` : '',
  ]
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
  const shown = Object.entries(noun.fields).filter(([, field]) => field.spec.use !== 'input')
  const names = shown
    .map(([name, field]) => (field.spec.relation?.onlyExpanded ? `${name} (when expanded)` : name))
    .join(', ')
  const words = noun.name.replaceAll('_', ' ')
  return answersList
    ? `Returns {object: "list", data, has_more, url}; each of data is a ${words}: ${names}.`
    : `Returns the ${words}: ${names}.`
}

function sentence(text: string): string {
  return `${text}.`
}
