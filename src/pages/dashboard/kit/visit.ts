import type { AccountOfPerson, People, SignedIn } from '../../../access/people/people.ts'
import type { SessionCaller } from '../../../contract/declarations/caller.ts'
import type { ApiError, FieldErrors } from '../../../contract/declarations/errors.ts'
import { include, type RoleRight } from '../../../contract/declarations/role-rights.ts'
import type { ShownOf } from '../../../contract/declarations/shown.ts'
import type { BodyReader } from '../../../pipeline/body-reader.ts'
import type { TakeTurn } from '../../../pipeline/rate-limit.ts'
import type { OperationAnswer } from '../../../pipeline/request.ts'
import type { Pipeline } from '../../../pipeline/run.ts'
import type { Services } from '../../../records/services.ts'
import type { Expandable, NounName, Nouns, Shown } from '../../../resources/nouns.ts'
import type { BodyFields, OperationName, Operations } from '../../../resources/operation-types.ts'
import type { Taking } from '../../../resources/sales/payment/provider.ts'
import type { Page, Problem } from '../../parts/markup.ts'
import type { PageRequest } from '../../parts/parts.ts'
import type { Ask, AskAny, Values } from './ask.ts'
import type { Catalogue } from './catalogue.ts'

/** One request of a signed-in person for a page of one account. */
export interface Visit {
  parts: DashboardParts
  catalogue: Catalogue<View>
  /** The first parts of the addresses of pages that are made by hand. */
  pages: ReadonlySet<string>
  person: SignedIn
  /** The account of the address, and the person's role there. */
  membership: AccountOfPerson
  memberships: AccountOfPerson[]
  /** As it was when the visit began. */
  account: Shown<'account'>
  /** The way in which the account takes payments. */
  taking: Taking
  /** The address of the shop's logo; null where it has none. */
  logo: string | null
  caller: SessionCaller
  incoming: PageRequest
  path: string
  query: URLSearchParams
  /** `/dashboard/my-shop`: what every address of the account begins with. */
  base: string
  /** What each form sends along, so that no other site can send it. */
  csrf: string
  /** Calls an operation as the person, those of the dashboard alone as well. */
  ask: Ask
  askAny: AskAny
}

/** What values are shown with, also where nobody is signed in: whose they are, and where the pages of things are. */
export interface Surroundings extends Pick<Visit, 'base'> {
  parts: Pick<DashboardParts, 'pipeline'>
  catalogue: Pick<Catalogue, 'of'>
  account: Pick<Shown<'account'>, 'default_currency' | 'timezone'>
}

/** Whether the person's role includes a right. */
export function may({ membership }: Pick<Visit, 'membership'>, right: RoleRight): boolean {
  return include([membership.role], right)
}

/** Whether the person's role is enough for an operation; false also where there is no such operation. */
export function mayCall(visit: Pick<Visit, 'membership'>, operation: { needs: RoleRight } | null | undefined): boolean {
  return operation ? may(visit, operation.needs) : false
}

/** What the pages of a noun are typed by; all of it is any text for pages that are made from declarations. */
export interface Subject {
  values: object
  field: string
  /** Columns of its lists that are no fields, or not as they are. */
  cell: string
  /** Fields that the bodies of its create and update take. */
  input: string
  /** The fields of each of its actions, by the action's name. */
  actions: Record<string, string>
  /** Relations that `expand` shows whole. */
  expandable: string
  /** The names of all nouns. */
  noun: string
}

interface AnySubject extends Subject {
  values: Values
}

type Words<Name extends string> = { readonly [Key in Name]?: string }

export type Offer = readonly [value: string, words: string]

/** A part of the page of one thing, below its fields; null where there is nothing to say. */
export type Section<V extends object = Values> = (visit: Visit, values: V) => Promise<Page | null>

/** A column that is no field of its noun, or shows one in another way. */
export interface Cell<V extends object = Values> {
  title: string
  /** Numbers are at the end of their column. */
  end?: boolean
  /** The field that the list can be sorted by which sorts this column. */
  sort?: string
  show(visit: Visit, values: V): Page
}

/** What can be done with several things of a list at once, as one program that is planned first. */
export interface BulkAction {
  /** In the form that is sent. */
  name: string
  button: string
  method: 'post' | 'patch' | 'delete'
  /** The word of programs that does it to each id, in place of a path. */
  word?: 'resend' | 'charge_now'
  /** What its paths have after the id: `/publish`. */
  below?: string
  body?: Values
  /** A field of the body that is a list of what a person types. */
  asks?: { field: string; words: string }
  danger?: boolean
  /** What happens, given what a person typed. */
  says?(asked: string): BulkWords
}

/** What is said of one thing, and of several. */
type Pair = readonly [one: string, many: string]

/** What an action does with things, as it follows their number: `get the tag “VIP”`. */
export interface BulkWords {
  happens: Pair
  /** Of those that it changes nothing of: `have it already`. */
  isAlready: Pair
  /** The same once it is done. */
  happened: Pair
  wasAlready: Pair
}

interface FormGroup<Name extends string = string> {
  title?: string
  names: readonly Name[]
  /** In place of their inputs: one that stands for all of them. `value` is the text that an input would hold. */
  control?(value: (name: Name) => string): Page
  /** A class that hides them while another choice of the form has nothing to do with them. */
  when?: string
}

/** What a second button of a form does once the thing is saved. */
export interface AlsoDone<V extends object = Values> {
  button: string
  /** Whether it is offered for what is there; always for something new. */
  offered(values: V): boolean
  /** More to fill in for it. */
  input(visit: Visit, sent: URLSearchParams | null, problems: readonly Problem[]): Page
  /** What is wrong with that, found before anything is saved; by the name of its input. */
  check(visit: Visit, form: URLSearchParams): FieldErrors
  /** Does it, with the thing as it was saved; an answer that is refused is shown, with the thing saved. */
  afterSave(visit: Visit, id: string, form: URLSearchParams): Promise<OperationAnswer>
  done(values: V): string
}

/** How forms of a noun are laid out. Fields that no group names come last, folded. */
export interface FormView<Name extends string = string, V extends object = Values> {
  groups: readonly FormGroup<Name>[]
  /** Labels and hints in place of those that follow from the declaration. */
  labels?: Words<Name>
  hints?: Words<Name>
  /** What it is filled with at first, where answers show a field under another name. */
  filled?(values: V): Values
  also?: AlsoDone<V>
  /** On the button that makes a new one, where that does more than to keep it. */
  create?: string
  /** Fields that only programs give. */
  without?: readonly Name[]
  /** Fields that the other choices of the form make necessary wherever they are shown. */
  needed?: readonly Name[]
  /** What was sent, before it is read: takes out what does not fit, and puts in what a control stands for. */
  sent?(form: URLSearchParams): void
}

/** How an action is put to people. */
export interface ActionView<Name extends string = string, V extends object = Values> {
  /** On its button. */
  button: string | ((values: V) => string)
  /** Fields that the state decides: they are sent as these, and nobody is asked for them. */
  fixed?(values: V): { readonly [Key in Name]?: unknown }
  /** Values that the form begins with. */
  before?(values: V): { readonly [Key in Name]?: unknown } | null
  lead(visit: Visit, values: V): string | Page | Promise<string | Page>
  danger?: boolean
  labels?: Words<Name>
  hints?: Words<Name>
}

/** What the pages of one noun have beyond what follows from its declaration. */
export interface View<S extends Subject = AnySubject> {
  /** What one is called, where no field says it. */
  title?(values: S['values']): string
  columns?: readonly (S['field'] | S['cell'])[]
  /** Columns beyond its fields, by the names that `columns` gives them. */
  cells?: Readonly<Record<S['cell'], Cell<S['values']>>>
  /** Fields that its own page shows at once; the others are folded. All of them when absent. */
  main?: readonly S['field'][]
  above?: readonly Section<S['values']>[]
  /** Words for its fields, on its own page; forms have theirs besides. */
  labels?: Words<S['field']>
  form?: FormView<S['input'], S['values']>
  /** Where a form leads that made or changed one, where that is not its own page. */
  after?(visit: Visit, values: S['values']): string
  /** The same of new ones alone. */
  afterCreate?(visit: Visit, values: S['values']): string
  /** Of its actions, by name; `update` and `delete` as well. */
  actions?: { readonly [Name in keyof S['actions']]?: ActionView<S['actions'][Name], S['values']> }
  /** Actions that a hand-made form of its page takes the place of; `update` and `delete` as well. */
  withoutActions?: readonly (keyof S['actions'] & string)[]
  /** References that its pages show by name. Those that lists can expand are expanded anyway. */
  expand?: readonly S['expandable'][]
  /** Fields that its own page leaves out, because a section shows them better. */
  without?: readonly S['field'][]
  /** In place of the lists of what belongs to it, or before them. */
  sections?: readonly Section<S['values']>[]
  /** Nouns whose lists its page shows; all that can be narrowed by it when absent. */
  related?: readonly S['noun'][]
  /** Links and buttons of its page beyond its actions. */
  links?(visit: Visit, values: S['values']): Page | null
  /** The word on its badge, where its status alone says too little. */
  state?(values: S['values']): string
  /** The actions that its page offers, where the API allows others that would change nothing. */
  allowed?(values: S['values']): readonly (keyof S['actions'] & string)[]
  /** Links of its list beyond the usual buttons. */
  listLinks?(visit: Visit): Page
  /** What its list can be searched by, where that is more than words: on the field. */
  search?: string
  /** Filters of its list whose values are things of the account, by name: what there is to choose from. */
  offers?: Readonly<Record<string, (visit: Visit) => Promise<readonly Offer[]>>>
  /** A small picture of one, before its name in lists. */
  picture?(visit: Visit, values: S['values']): Page
  /** What can be done with several of them, besides deleting them where they can be deleted. */
  bulk?: readonly BulkAction[]
  /** How its list gets its first entry, where people do not make them. */
  empty?(visit: Visit): Page
  /** A sentence under the heading of its list. */
  lead?: string
  /** Columns of its CSV beyond its fields, and what they need to be expanded. */
  csv?: { expand: readonly S['expandable'][]; columns: Readonly<Record<string, (values: S['values']) => string>> }
}

/** The names in a page's path: `id` of `/products/:id`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<More>
    : Rest
  : never

/** Values of the names in a page's path. */
export type At<Path extends string = string> = Record<string extends Path ? string : NamesIn<Path>, string>

/** A page of an account, at a path below it such as `/products/:id`. */
export interface DashboardPage<Path extends string = string> {
  path: Path
  get?(visit: Visit, at: At<Path>): Promise<Response>
  /** A form that was sent from it, or to it; the form is our own. */
  post?(visit: Visit, at: At<Path>, form: URLSearchParams): Promise<Response>
  /** In place of `post`, for a form that brings files; `refuse` shows why it was not taken. */
  files?: {
    take(visit: Visit, at: At<Path>, files: File[]): Promise<Response>
    refuse(visit: Visit, at: At<Path>, refusal: ApiError): Promise<Response>
  }
  /** Bytes that its form may have, where that is more than usual. */
  formBytes?: number
}

/** Declares a page whose path has names in it, so that the page knows them. */
export function pageAt<const Path extends string>(page: DashboardPage<Path>): DashboardPage {
  return page as DashboardPage
}

/**
 * One thing as its pages get it: from its own page, from a list or from a form. What `expand` can show is whole in some of these
 * and an id in others.
 */
export type Viewed<Name extends NounName> = ShownOf<Nouns, Nouns[Name], never, Expandable<Name>>

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

/** The address of a thing's page, or null where such things have none. */
export function addressOf({ catalogue, base }: Surroundings, noun: string, id: string): string | null {
  const found = catalogue.of(noun)
  return found?.retrieve && id !== '' ? `${base}/${found.path}/${encodeURIComponent(id)}` : null
}

/** An address with parameters; those that are empty are left out. */
export function withQuery(address: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const text = new URLSearchParams(given).toString()
  return text === '' ? address : `${address}?${text}`
}

export interface DashboardParts {
  pipeline: Pipeline
  people: People
  bodies: BodyReader
  /** Bounds what somebody may try, over all replicas. */
  takeTurn: TakeTurn
  services: Services
  /** Pages of the documentation by words, the best first. */
  findDocumentation(question: string): Promise<{ path: string; title: string; section: string }[]>
  /** Without a slash at its end. */
  publicUrl: string
  log: { error(details: object, message: string): void }
}
