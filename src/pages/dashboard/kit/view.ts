import type { ShownOf } from '../../../contract/declarations/shown.ts'
import type { Expandable, NounName, Nouns } from '../../../resources/nouns.ts'
import type { BodyFields, OperationName, Operations } from '../../../resources/operation-types.ts'
import type { Section, Subject, View } from './visit.ts'

/**
 * One thing as its pages get it: from its own page, from a list or from a form. What `expand` can show is whole in some of these
 * and an id in others.
 */
export type Viewed<Name extends NounName> = ShownOf<Nouns, Nouns[Name], never, Expandable<Name>>

/** A part of the page of one thing. */
export type SectionOf<Name extends NounName> = Section<Viewed<Name>>

type OperationsOf<Name extends NounName> = {
  [Op in OperationName as Operations[Op]['noun']['name'] extends Name ? Op : never]: keyof BodyFields<Op> & string
}

/** Fields of the bodies that create one or change one. */
type Inputs<Ops> = {
  [Op in keyof Ops]: Op extends `POST /${string}/${string}`
    ? never
    : Op extends `${'POST' | 'PATCH'} /${string}`
      ? Ops[Op]
      : never
}[keyof Ops] &
  string

/** What can be done with one, with the fields that it takes. */
type Actions<Ops> = {
  [Op in keyof Ops as Op extends `POST /${string}/{${string}}/${infer Action}` ? Action : never]: Ops[Op] & string
} & { update: never; delete: never }

/** What the pages of a noun are typed by. */
interface SubjectOf<Name extends NounName, Cell extends string> extends Subject {
  values: Viewed<Name>
  field: keyof Viewed<Name> & string
  cell: Cell
  input: Inputs<OperationsOf<Name>>
  actions: Actions<OperationsOf<Name>>
  expandable: Expandable<Name>
  noun: NounName
}

/** `cell` is inferred from the cells alone, so that a column which is neither a field nor one of them does not compile. */
type ViewOf<Name extends NounName, Cell extends string> = Omit<View<SubjectOf<Name, Cell>>, 'columns'> & {
  columns?: readonly (keyof Viewed<Name> | NoInfer<Cell>)[]
}

/** What the pages of one noun have beyond its declaration, with the noun's name. */
export interface NamedView<Name extends NounName = NounName> {
  noun: Name
  view: View
}

/** Declares what the pages of a noun have beyond what follows from its declaration; all of it is typed by the noun. */
export function view<Name extends NounName, Cell extends string = never>(
  noun: Name,
  declared: ViewOf<Name, Cell>,
): NamedView<Name> {
  return { noun, view: declared as unknown as View }
}
