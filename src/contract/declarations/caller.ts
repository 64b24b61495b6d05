/** The roles of account members; their order has no meaning, and `role-rights.ts` says what each may do. */
export const ROLES = ['owner', 'admin', 'editor', 'support', 'viewer', 'member'] as const
export type Role = (typeof ROLES)[number]

/** The rights of an API token, greatest first: everything its user may do, only plans that need approval, or only reads. */
export const TOKEN_RIGHTS = ['write', 'propose', 'read'] as const
export type TokenRight = (typeof TOKEN_RIGHTS)[number]

/** Combined rights: every one of the roles must include an action, and the token's right must allow it. */
export interface Rights {
  roles: readonly Role[]
  right: TokenRight
}

/** A person, or one of that person's API tokens or connections, whose rights limit an action. */
export interface Actor {
  userId: string
  /** The id of the token; null for the person without a token, who has all rights of the role. */
  tokenId: string | null
}

/** A further actor whose rights limit the caller, with the current right of that actor's token. */
export interface Limit extends Actor {
  right: TokenRight
  /** The role to which the token is restricted, if any. */
  tokenRole?: Role | null
}

/** The task run on whose behalf a caller acts. */
export interface RunOrigin {
  run: string
  /** The tasks whose runs led to this run, directly or indirectly, and its own task. */
  tasks: string[]
}

/** A user in one of the accounts that the user belongs to. */
export interface AccountUser {
  accountId: string
  userId: string
}

interface CallerBase {
  accountId: string
  /** Set if the caller acts for a task run, directly or through work that the run scheduled. */
  origin?: RunOrigin
}

/** A member of the account, however authenticated. */
interface UserCallerBase extends CallerBase {
  userId: string
  /** The person's role, or that of a limiting actor if it includes fewer rights. */
  role: Role
  /** Further roles that limit the caller, from the token and `limits`. An action needs every role to include it. */
  otherRoles?: readonly Role[]
  /** Further actors whose rights limit the caller, now and in the work that it schedules. */
  limits?: readonly Limit[]
  /** Set for a local command that works on its own data, which has no rate limits. */
  unlimited?: true
}

/** A client that sends an API token of the account. */
export interface TokenCaller extends UserCallerBase {
  kind: 'token'
  tokenId: string
  right: TokenRight
  /** The role to which the token's creator restricted the token. */
  tokenRole?: Role
}

/** A person who is signed in to the dashboard, or who works at the server's own terminal. */
export interface SessionCaller extends UserCallerBase {
  kind: 'session'
  sessionId: string
  /** Absent if the caller may do all that the role includes; set if one of `limits` may do less. */
  right?: TokenRight
}

/** The holder of a checkout's secret. While a checkout is opened, `checkoutId` is the id of the link, price or invoice. */
export interface BuyerCaller extends CallerBase {
  kind: 'buyer'
  checkoutId: string
}

/** A customer who confirmed the e-mail address and is signed in to the page with their purchases. */
export interface CustomerCaller extends CallerBase {
  kind: 'customer'
  customerId: string
}

/** An anonymous visitor of a public page, such as a form. */
export interface VisitorCaller extends CallerBase {
  kind: 'visitor'
  /** The id of the resource that the page shows. */
  pageId: string
}

/** A background job of this service. */
export interface JobCaller extends CallerBase {
  kind: 'job'
  jobId: string
}

/** A provider that reports an external event, such as a payment or an e-mail delivery. */
export interface ProviderCaller extends CallerBase {
  kind: 'provider'
  provider: string
}

export type Caller =
  | TokenCaller
  | SessionCaller
  | BuyerCaller
  | CustomerCaller
  | VisitorCaller
  | JobCaller
  | ProviderCaller
export type CallerKind = Caller['kind']
/** Callers that act for a user of the account. */
export type UserCaller = TokenCaller | SessionCaller

/** The kinds of callers that may call an operation if it declares none. */
export const USERS: readonly CallerKind[] = ['token', 'session']

export function isUser(caller: Caller): caller is UserCaller {
  return caller.kind === 'token' || caller.kind === 'session'
}

/** Returns the id that identifies the caller within its account, in rate limits, program runs and plans. */
export function callerId(caller: Caller): string {
  switch (caller.kind) {
    case 'token':
      return caller.tokenId
    case 'session':
      return caller.sessionId
    case 'buyer':
      return caller.checkoutId
    case 'customer':
      return caller.customerId
    case 'visitor':
      return caller.pageId
    case 'job':
      return caller.jobId
    case 'provider':
      return caller.provider
  }
}
