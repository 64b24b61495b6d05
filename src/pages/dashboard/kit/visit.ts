import type { AccountOfPerson, SignedIn } from '../../../access/people/people.ts'
import type { SessionCaller } from '../../../contract/declarations/caller.ts'
import type { ApiError, FieldErrors } from '../../../contract/declarations/errors.ts'
import type { Fields } from '../../../contract/declarations/field.ts'
import { include, type RoleRight } from '../../../contract/declarations/role-rights.ts'
import type { ShownOf } from '../../../contract/declarations/shown.ts'
import type { OperationAnswer } from '../../../pipeline/request.ts'
import type { AttentionQuery } from '../../../resources/dashboard/overview/overview.ts'
import type { ShowConnected } from '../../../resources/dashboard/service-connections.ts'
import type { Expandable, NounName, Nouns, Shown } from '../../../resources/nouns.ts'
import type { BodyFields, OperationName, Operations } from '../../../resources/operation-types.ts'
import type { Taking } from '../../../resources/sales/payment/provider.ts'
import type { Page, Problem } from '../../parts/markup.ts'
import type { PageRequest, PersonPageParts } from '../../parts/page-parts.ts'
import type { Call, CallAny, Read, Values } from './call.ts'
import type { Catalogue } from './catalogue.ts'

/** The context of a signed-in person's request for a page of one account. */
export interface DashboardContext {
  parts: DashboardParts
  catalogue: Catalogue<View>
  /** The hand-written pages by the first segment of their path. */
  pages: ReadonlyMap<string, readonly DashboardPage[]>
  person: SignedIn
  /** The person's membership of the account in the address. */
  membership: AccountOfPerson
  memberships: AccountOfPerson[]
  /** The account as it was at the start of the request. */
  account: Shown<'account'>
  taking: Taking
  /** The URL of the shop's logo, or null. */
  logo: string | null
  caller: SessionCaller
  incoming: PageRequest
  path: string
  query: URLSearchParams
  /** The prefix of all dashboard addresses of the account: `/dashboard/my-shop`. */
  base: string
  /** The token that each form contains against cross-site request forgery. */
  csrf: string
  /** Calls an operation as the signed-in person, including operations that only the dashboard has. */
  call: Call
  callAny: CallAny
  /** Reads data that is not part of the API. Throws `permission_denied` if the person lacks the right that the read needs. */
  read: Read
}

/** The context needed to show values of resources, also where no one is signed in. */
export interface Surroundings extends Pick<DashboardContext, 'base'> {
  parts: Pick<DashboardParts, 'pipeline'>
  catalogue: Pick<Catalogue, 'of'>
  account: Pick<Shown<'account'>, 'default_currency' | 'timezone'>
}

export function may({ membership }: Pick<DashboardContext, 'membership'>, right: RoleRight): boolean {
  return include([membership.role], right)
}

/** Returns whether the person's role allows an operation. An operation that does not exist is not allowed. */
export function mayCall(
  visit: Pick<DashboardContext, 'membership'>,
  operation: { needs: RoleRight } | null | undefined,
): boolean {
  return operation ? may(visit, operation.needs) : false
}

/** The types for the pages of one resource. Pages that are generated for any resource use plain strings for all names. */
interface Subject {
  values: object
  field: string
  /** Names of list columns that are not fields, or that show a field in another way. */
  cell: string
  /** The fields in the request bodies of create and update. */
  input: string
  /** The fields of each action, by the action's name. */
  actions: Record<string, string>
  expandable: string
  noun: string
}

interface AnySubject extends Subject {
  values: Values
}

type FieldWords<Name extends string> = { readonly [Key in Name]?: string }

export type Offer = readonly [value: string, words: string]

/** A section of a resource's page; null if the section is empty. */
type Section<V extends object = Values> = (visit: DashboardContext, values: V) => Promise<Page | null>

/** A list column that is not a field, or shows a field in another way. */
export interface Cell<V extends object = Values> {
  title: string
  /** Aligns the column at the end of the line, as for numbers. */
  end?: boolean
  /** The field by which this column sorts the list. */
  sort?: string
  show(visit: DashboardContext, values: V): Page
}

/** An action on several rows of a list. It runs as one Ruby program, whose changes a person reviews before they are applied. */
export interface BulkAction {
  name: string
  button: string
  method: 'post' | 'patch' | 'delete'
  /** The Ruby helper that acts on each id; by default the program calls a path. */
  word?: 'resend' | 'charge_now'
  /** The end of the operation's path after the id: `/publish`. */
  below?: string
  body?: Values
  /** The array field of the request body for the text that a person types. */
  asks?: { field: string; words: string }
  danger?: boolean
  /** Returns the texts about the action's effect, given the typed text. */
  says?(asked: string): BulkWords
}

type SingularPlural = readonly [one: string, many: string]

/** The effect of an action in words that follow a number: `get the tag “VIP”`. */
export interface BulkWords {
  happens: SingularPlural
  /** The words for rows that would not change: `have it already`. */
  isAlready: SingularPlural
  happened: SingularPlural
  wasAlready: SingularPlural
}

interface FormGroup<Name extends string = string> {
  title?: string
  names: readonly Name[]
  /** Renders one control in place of the group's inputs. `value` returns the text of an input. */
  control?(value: (name: Name) => string): Page
  /** A CSS class that hides the group while other choices make it irrelevant. */
  when?: string
}

/** A second submit button. It saves the form and then performs an action on the resource. */
export interface AlsoDone<V extends object = Values> {
  button: string
  /** Returns whether the form of an existing resource shows the button. The form for a new one always does. */
  offered(values: V): boolean
  input(visit: DashboardContext, sent: URLSearchParams | null, problems: readonly Problem[]): Page
  /** Validates the additional input before anything is saved. Returns errors by input name. */
  check(visit: DashboardContext, form: URLSearchParams): FieldErrors
  /** Acts on the saved resource. If the operation refuses, the page shows the reason, and the resource stays saved. */
  afterSave(visit: DashboardContext, id: string, form: URLSearchParams): Promise<OperationAnswer>
  done(values: V): string
}

/** Labels of a part of a list or an object that do not follow from the part's name. */
export interface PartWords {
  label?: string
  hint?: string
  /** The label of one entry of the list. */
  entry?: string
}

/** A kind of resource, with the fields of its form. */
export interface FormKind {
  value: string
  title: string
  words: string
  fields: Fields
}

/** The layout of a noun's forms. Fields outside the groups are folded and come last. */
export interface FormView<Name extends string = string, V extends object = Values> {
  groups: readonly FormGroup<Name>[]
  /** Labels and hints that replace those derived from the declaration. */
  labels?: FieldWords<Name>
  hints?: FieldWords<Name>
  /** Labels of parts of lists and objects by their path without positions: `chapters.lessons.video_url`. */
  parts?: Readonly<Record<string, PartWords>>
  /** Kinds with fields of their own. A new resource’s form asks for the kind first, which `parameter` then has in its address. */
  kinds?: {
    field: Name
    parameter: string
    lead: string
    offered(visit: DashboardContext): Promise<readonly FormKind[]>
  }
  /** Maps a resource's values to the form, if responses have a field under another name. */
  filled?(values: V): Values
  also?: AlsoDone<V>
  /** The label of the create button, if the button does more than save. */
  create?: string
  /** Fields that the form leaves out, because only software clients set them. */
  without?: readonly Name[]
  /** Fields that are required whenever the form shows them. */
  needed?: readonly Name[]
  /** Adjusts the submitted form before it is read: drops fields that do not apply, and expands combined controls. */
  sent?(form: URLSearchParams): void
}

export interface ActionView<Name extends string = string, V extends object = Values> {
  button: string | ((values: V) => string)
  /** Returns the values that follow from the resource's state, so that the form does not ask for them. */
  fixed?(values: V): { readonly [Key in Name]?: unknown }
  /** Returns the initial values of the action's form. */
  before?(values: V): { readonly [Key in Name]?: unknown } | null
  lead(visit: DashboardContext, values: V): string | Page | Promise<string | Page>
  danger?: boolean
  labels?: FieldWords<Name>
  hints?: FieldWords<Name>
}

/** The customization of a noun's pages. Everything else follows from the noun's declaration. */
export interface View<S extends Subject = AnySubject> {
  /** Returns the title of a resource, if none of its fields is a name. */
  title?(values: S['values']): string
  columns?: readonly (S['field'] | S['cell'])[]
  /** Custom columns by the names in `columns`. */
  cells?: Readonly<Record<S['cell'], Cell<S['values']>>>
  /** The fields that the resource's page shows without unfolding; all of them by default. */
  main?: readonly S['field'][]
  above?: readonly Section<S['values']>[]
  /** Labels of the fields on the resource's page. Forms have their own labels in addition. */
  labels?: FieldWords<S['field']>
  form?: FormView<S['input'], S['values']>
  /** Returns the address to show after a form; by default the resource's page. */
  after?(visit: DashboardContext, values: S['values']): string
  /** Takes precedence over `after` when the form created the resource. */
  afterCreate?(visit: DashboardContext, values: S['values']): string
  /** The presentation of the resource's actions by name, including `update` and `delete`. */
  actions?: { readonly [Name in keyof S['actions']]?: ActionView<S['actions'][Name], S['values']> }
  /** Actions without a derived form, because the dashboard offers them in another way. May include `update` and `delete`. */
  withoutActions?: readonly (keyof S['actions'] & string)[]
  /** References to expand on the resource's page, in addition to those that the lists expand. */
  expand?: readonly S['expandable'][]
  /** Fields that the resource's page leaves out, because a section shows them better. */
  without?: readonly S['field'][]
  /** Sections between the fields and the related lists. */
  sections?: readonly Section<S['values']>[]
  /** Nouns whose lists the resource's page shows; by default all lists that the resource can filter. */
  related?: readonly S['noun'][]
  /** Renders links and buttons in addition to the resource's actions. */
  links?(visit: DashboardContext, values: S['values']): Page | null
  /** Returns the text of the resource's badge, if the status alone is not enough. */
  state?(values: S['values']): string
  /** Returns the actions to offer, if the API also allows actions that have no effect. */
  allowed?(values: S['values']): readonly (keyof S['actions'] & string)[]
  /** Renders links in addition to the usual buttons of the list. */
  listLinks?(visit: DashboardContext): Page
  /** The placeholder of the search field, if people can search for more than words. */
  search?: string
  /** Functions that load the options of filters by other resources, by filter name. */
  offers?: Readonly<Record<string, (visit: DashboardContext) => Promise<readonly Offer[]>>>
  /** Renders the thumbnail that lists show before the name. */
  picture?(visit: DashboardContext, values: S['values']): Page
  /** Bulk actions in addition to deleting, which every list has whose rows can be deleted. */
  bulk?: readonly BulkAction[]
  /** Explains how an empty list gets rows, if people do not create them. */
  empty?(visit: DashboardContext): Page
  lead?: string
  /** CSV columns in addition to the resource's fields, and the relations that these columns need. */
  csv?: { expand: readonly S['expandable'][]; columns: Readonly<Record<string, (values: S['values']) => string>> }
}

/** The parameters of a page's path, such as `id` of `/products/:id`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<More>
    : Rest
  : never

export type At<Path extends string = string> = Record<string extends Path ? string : NamesIn<Path>, string>

/** A page of an account. `path` is below the account's address, such as `/products/:id`. */
export interface DashboardPage<Path extends string = string> {
  path: Path
  /** The right to see the page, if it does not follow from the operations of its resource. */
  see?: RoleRight
  /** The right to submit forms to the page; `see` by default. */
  send?: RoleRight
  /** The label in the menu, if it does not follow from the path. */
  label?: string
  get?(visit: DashboardContext, at: At<Path>): Promise<Response>
  /** Handles a form from a page of this dashboard. The form's token is already checked. */
  post?(visit: DashboardContext, at: At<Path>, form: URLSearchParams): Promise<Response>
  /** Handles a form with files in place of `post`. `refuse` shows why the form was not accepted. */
  files?: {
    take(visit: DashboardContext, at: At<Path>, files: File[]): Promise<Response>
    refuse(visit: DashboardContext, at: At<Path>, refusal: ApiError): Promise<Response>
  }
  /** The maximum form size in bytes, if it is above the default. */
  formBytes?: number
}

/** Declares a page with typed path parameters. */
export function pageAt<const Path extends string>(page: DashboardPage<Path>): DashboardPage {
  return page as DashboardPage
}

/** A resource as its pages receive it: an expandable relation is an object or an id, depending on the page. */
export type Viewed<Name extends NounName> = ShownOf<Nouns, Nouns[Name], never, Expandable<Name>>

type OperationsOf<Name extends NounName> = {
  [Op in OperationName as Operations[Op]['noun']['name'] extends Name ? Op : never]: keyof BodyFields<Op> & string
}

type Inputs<Ops> = {
  [Op in keyof Ops]: Op extends `POST /${string}/${string}`
    ? never
    : Op extends `${'POST' | 'PATCH'} /${string}`
      ? Ops[Op]
      : never
}[keyof Ops] &
  string

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

/** `Cell` is inferred from the cells alone, so that the compiler rejects unknown columns. */
type ViewOf<Name extends NounName, Cell extends string> = Omit<View<SubjectOf<Name, Cell>>, 'columns'> & {
  columns?: readonly (keyof Viewed<Name> | NoInfer<Cell>)[]
}

export interface NamedView<Name extends NounName = NounName> {
  noun: Name
  view: View
}

/** Declares the customization of a noun's pages with the types of the noun. */
export function view<Name extends NounName, Cell extends string = never>(
  noun: Name,
  declared: ViewOf<Name, Cell>,
): NamedView<Name> {
  return { noun, view: declared as unknown as View }
}

/** Returns the address of a resource's page, or null if resources of this noun have no page. */
export function addressOf({ catalogue, base }: Surroundings, noun: string, id: string): string | null {
  const found = catalogue.of(noun)
  return found?.retrieve && id !== '' ? `${base}/${found.path}/${encodeURIComponent(id)}` : null
}

/** Appends query parameters to an address, except empty ones. */
export function withQuery(address: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const text = new URLSearchParams(given).toString()
  return text === '' ? address : `${address}?${text}`
}

/** The names of the groups of the menu, which are also the names of their icons. */
export type MenuGroupName = 'selling' | 'content' | 'audience' | 'agents' | 'account'

/** Rows that need attention, described in words that follow their number, and the address of their list. */
export interface AttentionItem {
  one: string
  many: string
  path: string
  bad?: boolean
}

/** A page in the search results: the first segment of its path, and other words that find it. */
export type SearchedPage = readonly [place: string, also: string]

/** The parts of a feature in the dashboard. Its stylesheets are found by their path, `pages/dashboard/*.css`. */
export interface DashboardFeature {
  pages?: readonly DashboardPage[]
  views?: readonly NamedView[]
  /** The entries to append to each group of the menu, as the first segments of their paths. */
  menu?: Partial<Record<MenuGroupName, readonly string[]>>
  /** Lists that are not in the menu, because another page shows them. */
  elsewhere?: readonly string[]
  /** Rows that need the attention of people, which the home page counts. */
  matters?: readonly (AttentionItem & AttentionQuery)[]
  /** Returns the external services that the feature uses, with their states. */
  connections?: ShowConnected
  /** The word for the feature's content in the descriptions of the rights to content, such as `sites`. */
  content?: string
  /** Additional lines in the table of what each role may do, by the right that they need. */
  permissions?: Partial<Record<RoleRight, string>>
  searchedPages?: readonly SearchedPage[]
  /** Other words that people use to search for a resource, by the name of its noun. */
  alsoCalled?: Readonly<Record<string, string>>
}

type ServiceParts = 'pipeline' | 'people' | 'bodies' | 'takeTurn' | 'services' | 'publicUrl' | 'log'

export interface DashboardParts extends Pick<PersonPageParts, ServiceParts> {
  features: readonly DashboardFeature[]
  /** Searches the documentation and returns the best match first. */
  findDocumentation(question: string): Promise<{ path: string; title: string; section: string }[]>
}
