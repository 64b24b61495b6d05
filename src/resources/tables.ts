import type { Kysely } from 'kysely'
import type { Role } from '../contract/declarations/caller.ts'
import type { Row } from '../contract/declarations/noun.ts'
import type { Database, Scope, Transaction } from '../database/database.ts'
import type { SystemTables } from '../database/system-tables.ts'
import type { Formation } from '../features/formations/resources/formation/formation.ts'
import type { FormationDocument } from '../features/formations/resources/formation-document/formation-document.ts'
import type { FormationTables } from '../features/formations/tables.ts'
import type { ImportingTables } from '../features/importing/tables.ts'
import type { AiSite } from '../features/sites/resources/ai-site/ai-site.ts'
import type { SiteBuild } from '../features/sites/resources/site-build/site-build.ts'
import type { SiteTables } from '../features/sites/tables.ts'
import type { SocialAccount } from '../features/social/resources/social-account/social-account.ts'
import type { SocialComment } from '../features/social/resources/social-comment/social-comment.ts'
import type { SocialDelivery } from '../features/social/resources/social-delivery/social-delivery.ts'
import type { SocialPost } from '../features/social/resources/social-post/social-post.ts'
import type { SocialTables } from '../features/social/tables.ts'
import type { Customer } from './audience/customer/customer.ts'
import type { Form } from './audience/form/form.ts'
import type { FormSubmission } from './audience/form-submission/form-submission.ts'
import type { NotificationAddress } from './audience/notification-address/notification-address.ts'
import type { Tag } from './audience/tag/tag.ts'
import type { EventSource } from './automation/event-source/event-source.ts'
import type { Task } from './automation/task/task.ts'
import type { TaskRun } from './automation/task-run/task-run.ts'
import type { Discount } from './catalog/discount/discount.ts'
import type { PriceVariant } from './catalog/price-variant/price-variant.ts'
import type { Product } from './catalog/product/product.ts'
import type { Review } from './catalog/review/review.ts'
import type { Account } from './company/account/account.ts'
import type { X402Configuration } from './company/x402-configuration/x402-configuration.ts'
import type { BlogCategory } from './content/blog-category/blog-category.ts'
import type { BlogPost } from './content/blog-post/blog-post.ts'
import type { Experience } from './content/experience/experience.ts'
import type { File } from './content/file/file.ts'
import type { LegalPage } from './content/legal-page/legal-page.ts'
import type { AccountExport } from './dashboard/account-export/account-export.ts'
import type { ApiRequest } from './dashboard/api-request/api-request.ts'
import type { ApiToken } from './dashboard/api-token/api-token.ts'
import type { BackgroundProgram } from './dashboard/background-program/background-program.ts'
import type { Connection } from './dashboard/connection/connection.ts'
import type { CreditEntry } from './dashboard/credit-entry/credit-entry.ts'
import type { Event } from './dashboard/event/event.ts'
import type { Invitation } from './dashboard/invitation/invitation.ts'
import type { LogEntry } from './dashboard/log-entry/log-entry.ts'
import type { ProgramPlan } from './dashboard/program-plan/program-plan.ts'
import type { ProgramRun } from './dashboard/program-run/program-run.ts'
import type { SavedView } from './dashboard/saved-view/saved-view.ts'
import type { Email } from './messages/email/email.ts'
import type { WebhookAttempt } from './messages/webhook-attempt/webhook-attempt.ts'
import type { WebhookEndpoint } from './messages/webhook-endpoint/webhook-endpoint.ts'
import type { WebhookEvent } from './messages/webhook-event/webhook-event.ts'
import type { Charge } from './sales/charge/charge.ts'
import type { Checkout } from './sales/checkout/checkout.ts'
import type { CheckoutLink } from './sales/checkout-link/checkout-link.ts'
import type { Dispute } from './sales/dispute/dispute.ts'
import type { Invoice } from './sales/invoice/invoice.ts'
import type { Order } from './sales/order/order.ts'
import type { OrderItem } from './sales/order-item/order-item.ts'
import type { Payment } from './sales/payment/payment.ts'
import type { Refund } from './sales/refund/refund.ts'
import type { Subscription } from './sales/subscription/subscription.ts'

/** The tables of the database, with rows in their stored form. */
export interface Tables
  extends Omit<SystemTables, 'memberships'>,
    FormationTables,
    ImportingTables,
    SiteTables,
    SocialTables {
  memberships: Omit<SystemTables['memberships'], 'role'> & { role: Role }
  accounts: TableOf<typeof Account>
  products: TableOf<typeof Product> & Searchable
  price_variants: TableOf<typeof PriceVariant>
  customers: TableOf<typeof Customer> & Searchable
  tags: TableOf<typeof Tag> & Searchable
  discounts: TableOf<typeof Discount> & Searchable
  reviews: TableOf<typeof Review>
  experiences: TableOf<typeof Experience>
  files: TableOf<typeof File>
  legal_pages: TableOf<typeof LegalPage>
  blog_posts: TableOf<typeof BlogPost> & Searchable
  blog_categories: TableOf<typeof BlogCategory>
  charges: TableOf<typeof Charge>
  checkouts: TableOf<typeof Checkout>
  checkout_links: TableOf<typeof CheckoutLink>
  invoices: TableOf<typeof Invoice>
  orders: TableOf<typeof Order>
  order_items: TableOf<typeof OrderItem>
  payments: TableOf<typeof Payment>
  refunds: TableOf<typeof Refund>
  disputes: TableOf<typeof Dispute>
  subscriptions: TableOf<typeof Subscription>
  event_sources: TableOf<typeof EventSource>
  emails: TableOf<typeof Email>
  webhook_endpoints: TableOf<typeof WebhookEndpoint>
  webhook_events: TableOf<typeof WebhookEvent>
  social_accounts: TableOf<typeof SocialAccount>
  social_posts: TableOf<typeof SocialPost>
  social_deliveries: TableOf<typeof SocialDelivery>
  social_comments: TableOf<typeof SocialComment>
  tasks: TableOf<typeof Task>
  task_runs: TableOf<typeof TaskRun>
  forms: TableOf<typeof Form> & Searchable
  form_submissions: TableOf<typeof FormSubmission>
  notification_addresses: TableOf<typeof NotificationAddress>
  sites: TableOf<typeof AiSite>
  site_builds: TableOf<typeof SiteBuild>
  formations: TableOf<typeof Formation>
  formation_documents: TableOf<typeof FormationDocument>
  account_exports: TableOf<typeof AccountExport>
  invitations: TableOf<typeof Invitation>
  saved_views: TableOf<typeof SavedView>
  connections: TableOf<typeof Connection>
  x402_configurations: TableOf<typeof X402Configuration>
  api_requests: ImmutableTableOf<typeof ApiRequest>
  api_tokens: ImmutableTableOf<typeof ApiToken>
  credit_entries: ImmutableTableOf<typeof CreditEntry>
  events: ImmutableTableOf<typeof Event>
  webhook_attempts: ImmutableTableOf<typeof WebhookAttempt>
  log_entries: ImmutableTableOf<typeof LogEntry>
  program_runs: ImmutableTableOf<typeof ProgramRun>
  program_plans: ImmutableTableOf<typeof ProgramPlan>
  background_programs: TableOf<typeof BackgroundProgram>
}

/** The text that `query` searches in lists; `searchTextOf` computes it. */
interface Searchable {
  search_text: string
}

/** A row in its stored form: 0 and 1 for booleans, JSON text for arrays and objects. */
type TableOf<N> = { [Key in keyof Row<N>]: Raw<Row<N>[Key]> }

type ImmutableTableOf<N> = Omit<TableOf<N>, 'updated_at'>

type Raw<Value> = Value extends boolean ? number : Value extends string | number | null ? Value : string

/** The connection or transaction that queries of the account's data use. */
export type Db = Kysely<Tables>
export type ShopDatabase = Database<Tables>
export type ShopScope = Scope<Tables>
export type ShopTransaction = Transaction<Tables>
