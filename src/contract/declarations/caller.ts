/** The roles of account members; their order has no meaning, and `role-rights.ts` says what each may do. */
export const ROLES = ['owner', 'admin', 'editor', 'support', 'viewer', 'member'] as const
export type Role = (typeof ROLES)[number]

/** The rights of an API token, greatest first: everything its user may do, plans that need approval, or reads only. */
export const TOKEN_RIGHTS = ['write', 'propose', 'read'] as const
export type TokenRight = (typeof TOKEN_RIGHTS)[number]

/** Combined rights: an action needs every role to include it, and the token to allow it. */
export interface Rights {
  roles: readonly Role[]
  right: TokenRight
}

/** A person, or one of that person's API tokens or connections, whose rights limit an action. */
export interface Actor {
  userId: string
  /** Null for the person without a token, who has all rights of the role. */
  tokenId: string | null
}

/** A further actor whose rights limit the caller, with the present right of that actor's token. */
export interface Limit extends Actor {
  right: TokenRight
  /** The role that the token is restricted to, if any. */
  tokenRole?: Role | null
}

/** The task run on whose behalf a caller acts. */
export interface RunOrigin {
  run: string
  /** The tasks whose runs started this one, directly or indirectly, and its own task. */
  tasks: string[]
}

/** A user in one of the accounts that the user belongs to. */
export interface AccountUser {
  accountId: string
  userId: string
}

interface CallerBase {
  accountId: string
  /** Set when a task run acts, directly or through work that it scheduled. */
  origin?: RunOrigin
}

/** A member of the account, authenticated in any way. */
interface UserCallerBase extends CallerBase {
  userId: string
  /** The person's role, or the role of a limiting actor if that one includes less. */
  role: Role
  /** More roles that limit the caller, from the token and `limits`. Every role must include an action. */
  otherRoles?: readonly Role[]
  /** Further actors whose rights limit the caller, now and in the work that it schedules. */
  limits?: readonly Limit[]
  /** Exempt from rate limits: a local command that works on its own data. */
  unlimited?: true
}

/** A client that sends an API token of the account. */
export interface TokenCaller extends UserCallerBase {
  kind: 'token'
  tokenId: string
  right: TokenRight
  /** The role that the token's creator restricted it to. */
  tokenRole?: Role
}

/** A person with a dashboard session, or at the server's own terminal. */
export interface SessionCaller extends UserCallerBase {
  kind: 'session'
  sessionId: string
  /** Absent when the caller may do all that the role includes; set when one of `limits` may do less. */
  right?: TokenRight
}

/** The holder of a checkout's secret; when opening a checkout, `checkoutId` is the id of the link, price or invoice. */
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

/** The callers of an operation that does not declare any. */
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
