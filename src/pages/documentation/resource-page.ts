import type { Noun } from '../../contract/declarations/noun.ts'
import type { EventTypes } from '../../contract/documents/event-types.ts'
import { exampleOf } from '../../contract/documents/schemas.ts'
import type { Json } from '../../contract/values/json.ts'
import { withStop } from '../../format/sentences.ts'
import { type Catalogue, operationPath, resourcePath, resourceTitle } from './catalogue.ts'
import { fieldLine } from './field-lines.ts'
import { fence, type PageSource } from './page.ts'

type ResourceDocs = { [key: string]: Json }

interface ResourceParts {
  catalogue: Catalogue
  docs: ResourceDocs
  eventTypes: EventTypes
}

export function resourcePage(noun: Noun, parts: ResourceParts): PageSource {
  return {
    path: resourcePath(noun.name),
    title: resourceTitle(noun.name),
    description: withStop(noun.description).split(/(?<=\.) /)[0]!,
    section: 'Resources',
    body: () => bodyOf(noun, parts),
    examples: () =>
      ['## Example', fence('json', JSON.stringify(exampleOf(noun, parts.catalogue.findNoun), null, 2))].join('\n\n'),
  }
}

function bodyOf(noun: Noun, { catalogue, docs, eventTypes }: ResourceParts): string {
  const sections: [title: string, text: string][] = [
    [
      'Fields',
      Object.entries(docs.fields as Record<string, ResourceDocs>)
        .map(resourceField)
        .join('\n'),
    ],
    ['States', statesOf(noun)],
    ['Operations', operationsOf(noun, catalogue)],
    ['Events', eventsOf(noun, eventTypes)],
  ]
  const shown = sections.filter(([, text]) => text !== '').map(([title, text]) => `## ${title}\n\n${text.trim()}`)
  return [withStop(noun.description), identityOf(noun), ...shown].filter(Boolean).join('\n\n')
}

function identityOf({ prefix, slug }: Noun): string {
  if (prefix === null) return 'It appears only in responses and has no id.'
  return `Its ids begin with \`${prefix}_\`.${slug ? ' Its slug works anywhere its id does.' : ''} A field may be null only where its type says so.`
}

function resourceField([name, docs]: [string, ResourceDocs]): string {
  const { null: whenNull, writable } = docs
  const type = `${typeOf(docs)}${whenNull === undefined ? '' : ' or null'}${writable ? '' : ', read-only'}`
  const meaning = [
    withStop(`${docs.description}${docs.unit ? ` (${docs.unit})` : ''}`),
    whenNull !== undefined && whenNull !== 'none' && `Null: ${withStop(String(whenNull))}`,
    valuesOf(docs.values),
    docs.holds && `Holds ${docs.holds}.`,
    docs.expanded && expansionOf(docs),
    propertiesOf(docs.properties),
    writingOf(docs),
  ]
  return fieldLine({ name, type, meaning: meaning.filter(Boolean).join(' ') })
}

function expansionOf({ collapsed, expanded }: ResourceDocs): string {
  if (collapsed === 'left out') return `Omitted unless [expanded](/docs/expansion); then ${expanded}.`
  return `Holds ${collapsed}; [expanded](/docs/expansion), ${expanded}.`
}

const FORMATS: Record<string, string> = { 'date-time': 'timestamp', uri: 'URL', 'idn-email': 'e-mail address' }

function typeOf({ type, format }: ResourceDocs): string {
  return FORMATS[String(format)] ?? String(format ?? type)
}

function valuesOf(values: Json | undefined): string {
  if (!Array.isArray(values)) return ''
  return `One of ${values.map((value) => `\`${value}\``).join(', ')}.`
}

function propertiesOf(properties: Json | undefined): string {
  const named = Object.entries((properties ?? {}) as Record<string, string>)
  return named.map(([name, meaning]) => `\`${name}\`: ${withStop(meaning)}`).join(' ')
}

function writingOf({ writable, written_as, shown, written, default: fallback }: ResourceDocs): string {
  const parts = [
    writable === 'create' && 'Set on creation and cannot be changed.',
    writable === 'update' && 'Can only be set by an update.',
    written_as && `Written as \`${written_as}\`.`,
    written && `In bodies: ${withStop(String((written as ResourceDocs).description))}`,
    shown === false && 'Request bodies only; not included in responses.',
    fallback !== undefined && typeof fallback !== 'object' && `Default: \`${fallback}\`.`,
  ]
  return parts.filter(Boolean).join(' ')
}

function statesOf({ states }: Noun): string {
  if (!states) return ''
  const rows = Object.entries(states).map(
    ([state, actions]) => `| \`${state}\` | ${actions.map((action) => `\`${action}\``).join(', ') || 'none'} |`,
  )
  return [
    '`allowed_actions` lists the actions that the current state allows.\n',
    '| State | Allowed actions |',
    '|---|---|',
    ...rows,
  ].join('\n')
}

function operationsOf(noun: Noun, { operations }: Catalogue): string {
  const own = operations.filter((operation) => operation.noun === noun)
  return own
    .map(({ id, method, path, summary }) => `- [${summary}](${operationPath(id)}): \`${method} /v1${path}\``)
    .join('\n')
}

function eventsOf({ name }: Noun, { all }: EventTypes): string {
  const own = all.filter(({ resource }) => resource === name)
  return own.map((type) => `- \`${type.name}\`: ${type.description}`).join('\n')
}
