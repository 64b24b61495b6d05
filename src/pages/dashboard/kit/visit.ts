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
import type { Call, CallAny, Values } from './call.ts'
import type { Catalogue } from './catalogue.ts'

/** The context of a signed-in person's request for a page of one account. */
export interface DashboardContext {
  parts: DashboardParts
  catalogue: Catalogue<View>
  /** The first path segments of hand-made pages. */
  pages: ReadonlySet<string>
  person: SignedIn
  /** The person's membership of the account in the address. */
  membership: AccountOfPerson
  memberships: AccountOfPerson[]
  /** The account as it was when the request began. */
  account: Shown<'account'>
  /** How the account takes payments. */
  taking: Taking
  /** The URL of the shop's logo, or null. */
  logo: string | null
  caller: SessionCaller
  incoming: PageRequest
  path: string
  query: URLSearchParams
  /** The prefix of all addresses of the account: `/dashboard/my-shop`. */
  base: string
  /** The token in each form that protects against cross-site request forgery. */
  csrf: string
  /** Calls an operation as the person, including those that only the dashboard has. */
  call: Call
  callAny: CallAny
}

/** The context needed to show values, also where no one is signed in. */
export interface Surroundings extends Pick<DashboardContext, 'base'> {
  parts: Pick<DashboardParts, 'pipeline'>
  catalogue: Pick<Catalogue, 'of'>
  account: Pick<Shown<'account'>, 'default_currency' | 'timezone'>
}

/** Whether the person's role includes a right. */
export function may({ membership }: Pick<DashboardContext, 'membership'>, right: RoleRight): boolean {
  return include([membership.role], right)
}

/** Returns whether the person's role allows an operation; false if there is no such operation. */
export function mayCall(
  visit: Pick<DashboardContext, 'membership'>,
  operation: { needs: RoleRight } | null | undefined,
): boolean {
  return operation ? may(visit, operation.needs) : false
}

/** The types of a noun's pages. For derived pages all names are plain strings. */
interface Subject {
  values: object
  field: string
  /** List columns that are not fields, or show a field in another way. */
  cell: string
  /** Fields in the request bodies of create and update. */
  input: string
  /** The fields of each action, by action. */
  actions: Record<string, string>
  /** Relations that can be expanded. */
  expandable: string
  /** The names of all nouns. */
  noun: string
}

interface AnySubject extends Subject {
  values: Values
}

type FieldWords<Name extends string> = { readonly [Key in Name]?: string }

export type Offer = readonly [value: string, words: string]

/** A section below the fields of a resource's page; null if it is empty. */
type Section<V extends object = Values> = (visit: DashboardContext, values: V) => Promise<Page | null>

/** A list column that is not a field, or shows a field in another way. */
export interface Cell<V extends object = Values> {
  title: string
  /** Aligns the column at the end, as for numbers. */
  end?: boolean
  /** The field by which this column sorts the list. */
  sort?: string
  show(visit: DashboardContext, values: V): Page
}

/** An action on several rows of a list. It runs as one program that is planned first. */
export interface BulkAction {
  /** The value in the submitted form. */
  name: string
  button: string
  method: 'post' | 'patch' | 'delete'
  /** The Ruby helper that acts on each id, instead of a path. */
  word?: 'resend' | 'charge_now'
  /** The end of the path after the id: `/publish`. */
  below?: string
  body?: Values
  /** The array field of the body that holds the text that a person types. */
  asks?: { field: string; words: string }
  danger?: boolean
  /** Returns the messages about the effect, given the typed text. */
  says?(asked: string): BulkWords
}

/** Singular and plural. */
type SingularPlural = readonly [one: string, many: string]

/** The effect in words, to follow a number: `get the tag “VIP”`. */
export interface BulkWords {
  happens: SingularPlural
  /** Rows that would not change: `have it already`. */
  isAlready: SingularPlural
  /** The effect in the past tense. */
  happened: SingularPlural
  wasAlready: SingularPlural
}

interface FormGroup<Name extends string = string> {
  title?: string
  names: readonly Name[]
  /** Replaces the inputs of the group with one control. `value` returns the text of an input. */
  control?(value: (name: Name) => string): Page
  /** A class that hides the group while other choices make it irrelevant. */
  when?: string
}

/** A second submit button that acts after saving. */
export interface AlsoDone<V extends object = Values> {
  button: string
  /** Whether to offer it for an existing resource; it is always offered for a new one. */
  offered(values: V): boolean
  /** An extra input for the button. */
  input(visit: DashboardContext, sent: URLSearchParams | null, problems: readonly Problem[]): Page
  /** Validates the extra input before anything is saved. Returns errors by input name. */
  check(visit: DashboardContext, form: URLSearchParams): FieldErrors
  /** Acts on the saved resource. If the operation refuses, the page shows why, and the resource stays saved. */
  afterSave(visit: DashboardContext, id: string, form: URLSearchParams): Promise<OperationAnswer>
  done(values: V): string
}

/** The layout of a noun's forms. Fields outside the groups come last, folded. */
export interface FormView<Name extends string = string, V extends object = Values> {
  groups: readonly FormGroup<Name>[]
  /** Labels and hints that replace the derived ones. */
  labels?: FieldWords<Name>
  hints?: FieldWords<Name>
  /** Maps the values to the form, if responses show a field under another name. */
  filled?(values: V): Values
  also?: AlsoDone<V>
  /** The label of the create button, if it does more than save. */
  create?: string
  /** Fields that only programs set. */
  without?: readonly Name[]
  /** Fields that are required whenever the form shows them. */
  needed?: readonly Name[]
  /** Adjusts the submitted form before it is read: drops fields that do not apply and expands combined controls. */
  sent?(form: URLSearchParams): void
}

export interface ActionView<Name extends string = string, V extends object = Values> {
  /** The label of the button. */
  button: string | ((values: V) => string)
  /** Fields with values that follow from the state, so the form does not ask for them. */
  fixed?(values: V): { readonly [Key in Name]?: unknown }
  /** Initial values of the form. */
  before?(values: V): { readonly [Key in Name]?: unknown } | null
  lead(visit: DashboardContext, values: V): string | Page | Promise<string | Page>
  danger?: boolean
  labels?: FieldWords<Name>
  hints?: FieldWords<Name>
}

/** The customization of a noun's pages, beyond what follows from its declaration. */
export interface View<S extends Subject = AnySubject> {
  /** Returns the title of a resource, if no field is a name. */
  title?(values: S['values']): string
  columns?: readonly (S['field'] | S['cell'])[]
  /** Custom columns, by the names used in `columns`. */
  cells?: Readonly<Record<S['cell'], Cell<S['values']>>>
  /** The fields that the resource's page shows expanded; all of them by default. */
  main?: readonly S['field'][]
  above?: readonly Section<S['values']>[]
  /** Labels of the fields on its page; forms have their own labels too. */
  labels?: FieldWords<S['field']>
  form?: FormView<S['input'], S['values']>
  /** Returns the address after a form created or changed one; by default its page. */
  after?(visit: DashboardContext, values: S['values']): string
  /** Returns the address after a form created one. */
  afterCreate?(visit: DashboardContext, values: S['values']): string
  /** The presentation of its actions by name, including `update` and `delete`. */
  actions?: { readonly [Name in keyof S['actions']]?: ActionView<S['actions'][Name], S['values']> }
  /** Actions that a hand-made form replaces, including `update` and `delete`. */
  withoutActions?: readonly (keyof S['actions'] & string)[]
  /** References to expand on its pages, besides those that the lists expand anyway. */
  expand?: readonly S['expandable'][]
  /** Fields that its page leaves out because a section shows them better. */
  without?: readonly S['field'][]
  /** Sections instead of the related lists, or before them. */
  sections?: readonly Section<S['values']>[]
  /** Nouns whose lists its page shows; by default all that can be filtered by it. */
  related?: readonly S['noun'][]
  /** Links and buttons in addition to its actions. */
  links?(visit: DashboardContext, values: S['values']): Page | null
  /** The text of its badge, if the status alone is not enough. */
  state?(values: S['values']): string
  /** The actions that its page offers, if the API also allows some that change nothing. */
  allowed?(values: S['values']): readonly (keyof S['actions'] & string)[]
  /** Links in addition to the usual buttons of its list. */
  listLinks?(visit: DashboardContext): Page
  /** The placeholder of the search field, if more than words can be searched for. */
  search?: string
  /** Returns the options of filters by resources of the account, by filter name. */
  offers?: Readonly<Record<string, (visit: DashboardContext) => Promise<readonly Offer[]>>>
  /** A thumbnail before the name in lists. */
  picture?(visit: DashboardContext, values: S['values']): Page
  /** Bulk actions besides deleting, which is added if it is possible. */
  bulk?: readonly BulkAction[]
  /** Explains how an empty list is filled, if people do not create the rows. */
  empty?(visit: DashboardContext): Page
  lead?: string
  /** CSV columns in addition to its fields, and the relations they need. */
  csv?: { expand: readonly S['expandable'][]; columns: Readonly<Record<string, (values: S['values']) => string>> }
}

/** The parameters of a page's path, such as `id` of `/products/:id`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<More>
    : Rest
  : never

/** The values of the path parameters. */
export type At<Path extends string = string> = Record<string extends Path ? string : NamesIn<Path>, string>

/** A page of an account, at a path below it such as `/products/:id`. */
export interface DashboardPage<Path extends string = string> {
  path: Path
  get?(visit: DashboardContext, at: At<Path>): Promise<Response>
  /** Handles a form submitted from this dashboard. */
  post?(visit: DashboardContext, at: At<Path>, form: URLSearchParams): Promise<Response>
  /** Handles a form with files, instead of `post`; `refuse` shows why it was not accepted. */
  files?: {
    take(visit: DashboardContext, at: At<Path>, files: File[]): Promise<Response>
    refuse(visit: DashboardContext, at: At<Path>, refusal: ApiError): Promise<Response>
  }
  /** The maximum form size in bytes, if it exceeds the default. */
  formBytes?: number
}

/** Declares a page with typed path parameters. */
export function pageAt<const Path extends string>(page: DashboardPage<Path>): DashboardPage {
  return page as DashboardPage
}

/** A resource as its pages get it. Expandable relations may be an object or an id, depending on the page. */
export type Viewed<Name extends NounName> = ShownOf<Nouns, Nouns[Name], never, Expandable<Name>>

type OperationsOf<Name extends NounName> = {
  [Op in OperationName as Operations[Op]['noun']['name'] extends Name ? Op : never]: keyof BodyFields<Op> & string
}

/** The fields of the create and update bodies. */
type Inputs<Ops> = {
  [Op in keyof Ops]: Op extends `POST /${string}/${string}`
    ? never
    : Op extends `${'POST' | 'PATCH'} /${string}`
      ? Ops[Op]
      : never
}[keyof Ops] &
  string

/** The actions of a noun, with the fields they take. */
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

/** `Cell` is inferred from the cells alone, so that an unknown column does not compile. */
type ViewOf<Name extends NounName, Cell extends string> = Omit<View<SubjectOf<Name, Cell>>, 'columns'> & {
  columns?: readonly (keyof Viewed<Name> | NoInfer<Cell>)[]
}

export interface NamedView<Name extends NounName = NounName> {
  noun: Name
  view: View
}

/** Declares the customization of a noun's pages, typed by the noun. */
export function view<Name extends NounName, Cell extends string = never>(
  noun: Name,
  declared: ViewOf<Name, Cell>,
): NamedView<Name> {
  return { noun, view: declared as unknown as View }
}

/** Returns the address of a resource's page, or null if it has none. */
export function addressOf({ catalogue, base }: Surroundings, noun: string, id: string): string | null {
  const found = catalogue.of(noun)
  return found?.retrieve && id !== '' ? `${base}/${found.path}/${encodeURIComponent(id)}` : null
}

/** Appends query parameters, except empty ones. */
export function withQuery(address: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const text = new URLSearchParams(given).toString()
  return text === '' ? address : `${address}?${text}`
}

export interface DashboardParts {
  pipeline: Pipeline
  people: People
  bodies: BodyReader
  /** Rate limits attempts, over all replicas. */
  takeTurn: TakeTurn
  services: Services
  /** Searches the documentation, best match first. */
  findDocumentation(question: string): Promise<{ path: string; title: string; section: string }[]>
  /** The base URL, without a trailing slash. */
  publicUrl: string
  log: { error(details: object, message: string): void }
}
