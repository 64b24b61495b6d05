import { DEEPEST, type Element, type ParsedPage } from './pages.ts'

/** Ids that a label is for. */
type Labelled = ReadonlySet<string | undefined>

/** What keeps people from using a page, as far as it can be seen without a browser. */
export function accessProblems({ path, source, elements, isDeep }: ParsedPage): string[] {
  const labelled = new Set(elements.flatMap((one) => (one.name === 'label' ? [one.attributes.for] : [])))
  const of = (name: string) => elements.filter((element) => element.name === name)
  const problems = [
    ...(/^\s*<!doctype html/i.test(source) ? [] : ['It does not begin with <!doctype html>.']),
    ...(of('html')[0]?.attributes.lang?.trim() ? [] : ['<html> has no lang, such as lang="en".']),
    ...(of('title').some(({ text, inHead }) => text.trim() && inHead) ? [] : ['It has no <title>.']),
    ...(of('meta').some(({ attributes: { name } }) => name === 'viewport')
      ? []
      : ['It has no <meta name="viewport" content="width=device-width, initial-scale=1">.']),
    ...(of('main').length === 1 ? [] : ['It needs exactly one <main>.']),
    ...(isDeep ? [`Its elements are nested more than ${DEEPEST} deep.`] : []),
    ...headingProblems(elements),
    ...elements.flatMap((element) => ofElement(element, labelled)),
    ...repeatedIds(elements),
  ]
  return problems.map((problem) => `${path}: ${problem}`)
}

function headingProblems(elements: readonly Element[]): string[] {
  const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []))
  const first = levels.filter((level) => level === 1).length
  const skipped = levels.find((level, index) => level > (levels[index - 1] ?? 0) + 1)
  return [
    ...(first === 1 ? [] : [`It needs exactly one <h1>, and has ${first}.`]),
    ...(skipped ? [`<h${skipped}> comes after a heading that is not one level above it.`] : []),
  ]
}

function ofElement(element: Element, labelled: Labelled): string[] {
  const { name, attributes } = element
  if (name === 'img' && attributes.alt === undefined)
    return ['A picture has no alt; give it words, or alt="" for decoration.']
  if ((name === 'a' && attributes.href !== undefined) || name === 'button')
    return hasName(element) ? [] : [`A ${name === 'a' ? 'link' : 'button'} has no words.`]
  if (['input', 'select', 'textarea'].includes(name)) return fieldProblem(element, labelled)
  return []
}

function hasName({ attributes, text, holdsName }: Element): boolean {
  return holdsName || Boolean(text.trim() || attributes['aria-label']?.trim() || attributes['aria-labelledby'])
}

const WITHOUT_LABEL = ['hidden', 'submit', 'reset', 'button', 'image']

function fieldProblem({ attributes, inLabel }: Element, labelled: Labelled): string[] {
  if (WITHOUT_LABEL.includes(attributes.type ?? '') || inLabel) return []
  if (attributes['aria-label']?.trim() || attributes['aria-labelledby']) return []
  return attributes.id && labelled.has(attributes.id) ? [] : ['A field has no <label>.']
}

function repeatedIds(elements: readonly Element[]): string[] {
  const ids = elements.flatMap(({ attributes: { id } }) => (id ? [id] : []))
  const seen = new Set<string>()
  const repeated = ids.find((id) => seen.size === seen.add(id).size)
  return repeated ? [`The id ${JSON.stringify(repeated.slice(0, 100))} is used more than once.`] : []
}
