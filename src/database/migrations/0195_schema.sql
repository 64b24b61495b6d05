-- baseline: replaces 97 migrations, the last of them 0195_disputes at commit 77b1f114
-- The schema of all versions up to that commit. Later migrations follow in files of their own.
--
-- All tables are made alike:
--   A primary key begins with `account_id` where rows belong to an account.
--   Columns refer to rows without foreign keys: operations check references, and `npm run verify` checks all of them.
--   Booleans are 0 and 1, times are ISO 8601 in UTC, amounts are in minor units, and lists and objects are JSON.
--   `sealed` is encrypted text, `hash` is a keyed hash, and `job` is the id of a job that is planned for the row.
--
-- An index with the condition `length(id) > 0` serves only queries that state it, since PostgreSQL takes any index for a look-up in a new
-- database, and the look-up then conflicts with every writer of that index. Numbers are sorted by as expressions, `amount + 0`, which no range
-- matches: over 100,000 rows, the embedded engine sorts all rows of a wide range for each page with such an index (150 to 290 ms), and finds
-- the first page in the order of ids at once.

-- === The service ===

-- Values of the service itself, such as whether it is a quiet copy.
create table settings (
  name text primary key,
  value text not null
);

-- Rate limits of clients without a token, counted for all processes. `client_key` is the hash of an address.
create table client_buckets (
  client_key text primary key,
  permits double precision not null,
  refilled_at double precision not null
);
create index client_buckets_refilled on client_buckets (refilled_at);

-- Accounts that are being deleted or were deleted recently. Their remaining rows and files are removed by these ids.
create table account_deletions (
  id text primary key,
  begun_at text not null
);

-- === People, each of whom may belong to several accounts ===

create table users (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified integer not null default 0,
  created_at text not null,
  updated_at text
);

-- An e-mail address that a person has asked for and not proven yet: one for each person.
create table address_changes (
  user_id text primary key,
  id text not null unique,
  email text not null,
  token_hash text unique,
  expires_at text not null,
  created_at text not null
);
create index address_changes_by_expiry on address_changes (expires_at);

create table sign_in_methods (
  id text primary key,
  user_id text not null,
  provider_id text not null,
  provider_account text not null,
  password_hash text,
  created_at text not null,
  updated_at text not null,
  unique (user_id, provider_id)
);

create table passkeys (
  id text primary key,
  user_id text not null,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up integer not null,
  transports text,
  aaguid text,
  created_at text not null
);
create index passkeys_by_user on passkeys (user_id);

create table sessions (
  id text primary key,
  user_id text not null,
  token_hash text not null unique,
  ip_address text,
  user_agent text,
  expires_at text not null,
  created_at text not null,
  updated_at text not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at text not null,
  -- The address that the link was mailed to; null where an operator made it.
  mailed_to text,
  created_at text not null,
  updated_at text not null
);
create index verifications_by_identifier on verifications (identifier);
create index verifications_by_expiry on verifications (expires_at);

-- === Accounts ===

create table accounts (
  account_id text not null,
  id text not null,
  name text not null,
  subdomain text not null unique,
  -- The domain that the account wants for its shop, and the verified one, which no other account has.
  storefront_domain text,
  verified_storefront_domain text,
  storefront_domain_checks integer not null default 0,
  support_email text,
  default_currency text not null,
  timezone text not null,
  country text,
  vat_id text,
  tax_rates text not null default '[]',
  description text,
  -- JSON: the logo, colour, font and cover of the shop.
  branding text not null default '{}',
  buyers_may_pause integer not null default 0,
  -- JSON: amounts by currency that people whose role limits them may refund on one order.
  refund_limits text not null default '{}',
  -- How long a plan can be decided on.
  plan_lifetime_hours integer not null default 72,
  -- People get an e-mail when a run of their task fails.
  failed_run_emails integer not null default 1,
  -- The account lives by its clock in `account_clocks`; every other account lives by the system's.
  test integer not null default 0,
  credit_balance bigint not null,
  -- The last month that the account was granted its credits for, such as 2026-01.
  credits_month text,
  -- The account has charged through the service's own keys, and so keeps them.
  charges_by_service integer not null default 0,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index accounts_storefront_domain on accounts (verified_storefront_domain);

create table memberships (
  account_id text not null,
  user_id text not null,
  role text not null,
  created_at text not null,
  primary key (account_id, user_id)
);

create table invitations (
  account_id text not null,
  id text not null,
  email text not null,
  role text not null,
  invited_by text not null,
  expires_at text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index invitations_by_email on invitations (account_id, email);

-- The clock of a test account: it showed `moment` at the real time `since`, and runs on from there.
create table account_clocks (
  account_id text not null,
  id text not null,
  moment text not null,
  since text not null,
  -- While the clock is moved forward it stands at `moment`: who moves it, where to, and when the mover counts as lost.
  advance_id text,
  target text,
  leased_until text,
  -- The moment that a command has asked a server to move it to.
  requested text,
  primary key (account_id, id)
);

-- Every change of an account's credit balance; their sum is the balance.
create table credit_entries (
  account_id text not null,
  id text not null,
  kind text not null,
  delta bigint not null,
  -- The kind of thing that the credits were spent on, such as web_map, and its id.
  reason text not null,
  reference text,
  -- The run of a task that spent the credits.
  run text,
  -- The entry that this one closes; a reservation is closed once.
  reservation text,
  balance_after bigint not null,
  created_at text not null,
  primary key (account_id, id),
  unique (account_id, reservation)
);
create index credit_entries_by_run on credit_entries (account_id, run) where run is not null;
-- Credits are granted once a month.
create unique index credit_entries_monthly on credit_entries (account_id, reference) where kind = 'granted';

create table counters (
  account_id text not null,
  name text not null,
  value bigint not null,
  primary key (account_id, name)
);

-- The size of an account in each table when it was last measured. An account without rows here has not been measured yet.
create table storage_usage (
  account_id text not null,
  table_name text not null,
  bytes double precision not null,
  row_count double precision not null,
  measured_at text not null,
  primary key (account_id, table_name)
);

-- Archives of all data of an account.
create table account_exports (
  account_id text not null,
  id text not null,
  status text not null,
  requested_by text not null,
  parts_done integer not null,
  parts_total integer not null,
  rows_done bigint not null,
  size bigint,
  store text,
  error_message text,
  ready_at text,
  expires_at text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- Filters and sorting of a list, under a name, for one person or for everybody in the account.
create table saved_views (
  account_id text not null,
  id text not null,
  list text not null,
  name text not null,
  query text not null,
  shared integer not null,
  user_id text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index saved_views_by_list on saved_views (account_id, list, id);
create index saved_views_by_user on saved_views (account_id, user_id);

-- === Tokens and connections of clients ===

create table api_tokens (
  account_id text not null,
  id text not null,
  user_id text not null,
  name text not null,
  token_hash text not null unique,
  last_four text not null,
  right_name text not null default 'write',
  -- The role that the token is limited to; null for everything that its user's role allows.
  role_name text,
  -- A command made the token for one call on its own data; it has no rate limit.
  unlimited integer not null default 0,
  created_at text not null,
  last_used_at text,
  primary key (account_id, id)
);

-- Clients that registered themselves. Those without a connection are deleted after a while.
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text not null,
  used integer not null,
  created_at text not null,
  expires_at text not null
);
create index oauth_clients_unused on oauth_clients (used, id);
create index oauth_clients_expiry on oauth_clients (expires_at);

create table oauth_codes (
  account_id text not null,
  code_hash text not null unique,
  consent text not null,
  connection_id text,
  expires_at text not null,
  primary key (account_id, code_hash)
);
create index oauth_codes_expiry on oauth_codes (expires_at);

create table connections (
  account_id text not null,
  id text not null,
  user_id text not null,
  client_id text not null,
  client_name text not null,
  client_domain text,
  returns_to text not null,
  "right" text not null,
  allowed_by text not null,
  status text not null,
  last_used_at text,
  revoked_at text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index connections_revoked on connections (revoked_at);

create table oauth_tokens (
  account_id text not null,
  id text not null,
  connection_id text not null,
  kind text not null,
  token_hash text not null unique,
  created_at text not null,
  expires_at text not null,
  rotated_at text,
  primary key (account_id, id)
);
create index oauth_tokens_of_connection on oauth_tokens (account_id, connection_id, id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);

-- === Catalogue ===

create table products (
  account_id text not null,
  id text not null,
  name text not null,
  slug text not null,
  status text not null,
  description text,
  body_html text,
  button_cta text,
  available_from text,
  available_until text,
  published_at text,
  reviews_count integer not null,
  ratings_total integer not null,
  media text not null,
  tax_code text,
  seo_title text,
  seo_description text,
  metadata text not null,
  search_text text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, slug)
);
create index products_by_name on products (account_id, name, id) where length(id) > 0;
create index products_by_first_words on products (account_id, (lower(name)), id) where length(id) > 0;

create table price_variants (
  account_id text not null,
  id text not null,
  product text not null,
  name text not null,
  amount_type text not null,
  amount bigint not null,
  currency text not null,
  billing_type text not null,
  recurring_interval text,
  interval_count integer,
  installment_count integer,
  setup_fee_amount bigint,
  trial_period_days integer,
  revoke_after_days integer,
  quantity_available integer,
  discounted_from_amount bigint,
  minimum_amount bigint,
  maximum_amount bigint,
  preset_amount bigint,
  waitlist integer not null,
  hidden integer not null,
  archived integer not null,
  position integer not null,
  benefits text not null,
  experiences text not null,
  sold_count integer not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index price_variants_by_product on price_variants (account_id, product, position);
create index price_variants_with_experiences on price_variants (account_id, product) where experiences <> '[]';

create table discounts (
  account_id text not null,
  id text not null,
  code text not null,
  code_key text not null,
  discount_type text not null,
  percent_off double precision,
  duration text not null,
  applies_to_product_ids text not null,
  amount_off bigint,
  currency text,
  duration_in_months integer,
  max_redemptions integer,
  times_redeemed integer not null,
  -- Redemptions by payments under way, which count against `max_redemptions` until they succeed or fail.
  reserved_count integer not null default 0,
  starts_at text,
  redeem_by text,
  price_variants text not null,
  switched text not null,
  metadata text not null,
  search_text text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, code_key)
);

create table reviews (
  account_id text not null,
  id text not null,
  product text not null,
  rating integer not null,
  customer_name text,
  customer text,
  content text,
  published integer not null,
  position integer not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index reviews_by_product on reviews (account_id, product, position);
create index reviews_by_customer on reviews (account_id, customer);
create index reviews_by_published on reviews (account_id, published, id);

create table experiences (
  account_id text not null,
  id text not null,
  name text not null,
  slug text not null,
  description text,
  access_type text not null,
  item_type text not null,
  content text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, slug)
);

create table files (
  account_id text not null,
  id text not null,
  kind text not null,
  source text not null,
  upload_status text not null,
  filename text,
  content_type text,
  size bigint,
  duration_ms integer,
  -- Pixels as shown; null where they are not known.
  width integer,
  height integer,
  -- 0 for files of early versions, which are measured when a post publishes them.
  measured integer not null default 0,
  title text,
  alternative_text text,
  description text,
  tags text,
  url text,
  -- An experience has had the file; only of such files is it asked whether they are for buyers alone.
  in_experience integer not null default 0,
  provider text,
  source_job_id text,
  error_message text,
  declared_type text,
  declared_size bigint,
  detected_type text,
  checksum text,
  store text,
  stored_bytes bigint not null default 0,
  upload_expires_at text,
  expire_job text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index files_by_filename on files (account_id, (lower(filename)), id) where length(id) > 0;
create index files_by_title on files (account_id, (lower(title)), id) where length(id) > 0;

-- === Customers and forms ===

create table customers (
  account_id text not null,
  id text not null,
  email text not null,
  name text,
  first_name text,
  last_name text,
  phone_number text,
  country text,
  region text,
  vat_id text,
  customer_type text not null,
  lead_announced integer not null default 1,
  orders_count integer not null,
  total_spend bigint not null,
  confirmed_at text,
  metadata text not null,
  search_text text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, email)
);
create index customers_by_type on customers (account_id, customer_type, id);
create index customers_by_spend on customers (account_id, (total_spend + 0), id) where length(id) > 0;
create index customers_by_name on customers (account_id, (lower(name)), id) where length(id) > 0;
create index customers_by_last_name on customers (account_id, (lower(last_name)), id) where length(id) > 0;

create table tags (
  account_id text not null,
  id text not null,
  name text not null,
  name_key text not null,
  color text,
  search_text text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, name_key)
);

create table customer_tags (
  account_id text not null,
  customer_id text not null,
  tag_id text not null,
  primary key (account_id, customer_id, tag_id)
);
create index customer_tags_by_tag on customer_tags (account_id, tag_id);

-- Links that were mailed to buyers, as keyed hashes. A link is void when the customer has another address than `email`.
create table buyer_links (
  account_id text not null,
  token_hash text not null,
  purpose text not null,
  customer text not null,
  email text not null,
  expires_at text not null,
  primary key (account_id, token_hash)
);
create index buyer_links_expiry on buyer_links (expires_at);
create index buyer_links_customer on buyer_links (account_id, customer);

-- Browsers in which buyers are signed in, as keyed hashes. A session ends when the customer has another address than `email`.
create table buyer_sessions (
  account_id text not null,
  token_hash text not null,
  customer text not null,
  email text not null,
  created_at text not null,
  expires_at text not null,
  primary key (account_id, token_hash)
);
create index buyer_sessions_expiry on buyer_sessions (expires_at);
create index buyer_sessions_customer on buyer_sessions (account_id, customer);

create table forms (
  account_id text not null,
  id text not null,
  name text not null,
  description text,
  status text not null,
  fields text not null,
  confirmation_required integer not null,
  success_message text,
  redirect_url text,
  notification_emails text not null,
  tags text not null,
  submissions_count integer not null,
  archived_at text,
  metadata text not null,
  last_field_id integer not null,
  search_text text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index forms_by_status on forms (account_id, status, id);

create table form_submissions (
  account_id text not null,
  id text not null,
  form text not null,
  respondent text,
  email text,
  name text,
  answers text not null,
  confirmed integer not null,
  metadata text not null,
  -- Submissions, and the leads that they made, are announced once they are confirmed.
  announced integer not null default 1,
  created_at text not null,
  primary key (account_id, id)
);
create index form_submissions_by_form on form_submissions (account_id, form, id);
create index form_submissions_by_respondent on form_submissions (account_id, respondent, id) where respondent is not null;
-- Submissions that wait for their confirmation are counted by address.
create index form_submissions_unconfirmed on form_submissions (account_id, email, created_at) where confirmed = 0;
create index form_submissions_by_confirmed on form_submissions (account_id, confirmed, id);

-- Addresses that receive the submissions of forms, once their owners have agreed. `expires_at` is null from then on; until then, it says when the row is
-- deleted.
create table notification_addresses (
  account_id text not null,
  id text not null,
  address text not null,
  confirmed_at text,
  expires_at text,
  created_at text not null,
  primary key (account_id, id)
);
create unique index notification_addresses_by_address on notification_addresses (account_id, address);
create index notification_addresses_by_expiry on notification_addresses (expires_at);

-- === Sales ===

create table checkout_links (
  account_id text not null,
  id text not null,
  name text,
  price_variants text not null,
  discount text,
  allow_discount_codes integer not null,
  success_url text,
  active integer not null,
  metadata text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create table checkouts (
  account_id text not null,
  id text not null,
  status text not null,
  mode text not null,
  link text,
  line_items text not null,
  lines text not null,
  currency text not null,
  subtotal bigint not null,
  amount_discount bigint not null,
  amount_tax bigint not null,
  tax_inclusive integer not null default 0,
  tax_lines text not null default '[]',
  reverse_charge integer not null default 0,
  total bigint not null,
  email text,
  customer text,
  country text,
  region text,
  vat_id text,
  tax text,
  invoice text,
  formation text,
  -- The failed order whose payment the checkout tries again.
  retries text,
  discount_code text,
  discount text,
  -- The discount as it was when the payment began; a subscription starts with these terms.
  discount_terms text,
  "order" text,
  subscription text,
  processor text not null,
  success_url text,
  cancel_url text,
  expires_at text not null,
  completed_at text,
  metadata text not null,
  paying text,
  failed_tries integer not null,
  expire_job text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
-- Open checkouts are few, since they expire after a day.
create index checkouts_that_are_open on checkouts (account_id, id) where status = 'open';
create index checkouts_by_customer on checkouts (account_id, customer) where customer is not null;
create index checkouts_by_invoice on checkouts (account_id, invoice) where invoice is not null;
create index checkouts_by_subscription on checkouts (account_id, subscription) where subscription is not null;

create table orders (
  account_id text not null,
  id text not null,
  status text not null,
  -- The way in which the checkout of the order was opened.
  channel text not null default 'api',
  -- No money moved although the account is live.
  simulated integer not null default 0,
  customer text not null,
  country text,
  region text,
  vat_id text,
  amount bigint not null,
  currency text not null,
  subtotal bigint not null,
  amount_discount bigint not null,
  amount_tax bigint not null default 0,
  tax_inclusive integer not null default 0,
  tax_lines text not null default '[]',
  reverse_charge integer not null default 0,
  amount_refunded bigint not null,
  amount_tax_refunded bigint not null default 0,
  amount_refunding bigint not null,
  disputed_from text,
  discount text,
  checkout text,
  subscription text,
  invoice text,
  charge text,
  processor text not null,
  paid_at text,
  -- When the same buyer paid before in the same currency.
  previous_paid_at text,
  -- How the order was paid after a payment had failed.
  recovered_by text,
  metadata text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index orders_by_customer on orders (account_id, customer, id);
create index orders_by_subscription on orders (account_id, subscription, id) where subscription is not null;
create index orders_by_invoice on orders (account_id, invoice) where invoice is not null;
create index orders_disputed on orders (account_id, id) where status = 'disputed';
create index orders_by_amount on orders (account_id, (amount + 0), id) where length(id) > 0;
create index orders_by_buyer on orders (account_id, customer, currency, paid_at) where paid_at is not null;
create index orders_recovered on orders (account_id, paid_at, currency, recovered_by, amount, amount_refunded)
  where recovered_by is not null;
-- Reports and the overview sum these columns without reading rows.
create index orders_by_payment on orders (
  account_id, paid_at, currency, channel, country, previous_paid_at,
  amount, amount_discount, amount_refunded, amount_tax, amount_tax_refunded
) where paid_at is not null;
create index orders_by_currency on orders (
  account_id, currency, paid_at, amount, amount_refunded, amount_tax, amount_tax_refunded
) where paid_at is not null;
create index orders_simulated on orders (account_id, paid_at) where simulated = 1 or processor = 'test';

create table order_items (
  account_id text not null,
  id text not null,
  "order" text not null,
  line integer not null,
  price_variant text not null,
  product text not null,
  quantity integer not null,
  unit_amount bigint not null,
  setup_fee_amount bigint not null,
  amount bigint not null,
  amount_discount bigint not null,
  amount_tax bigint not null default 0,
  tax_code text,
  amount_refunded bigint not null,
  amount_tax_refunded bigint not null default 0,
  currency text not null,
  product_name text not null,
  price_variant_name text not null,
  revoke_after_days integer,
  order_status text not null,
  paid_at text,
  created_at text not null,
  primary key (account_id, id)
);
create index order_items_by_order on order_items (account_id, "order", line);
create index order_items_by_product on order_items (account_id, product, id);
create index order_items_by_price_variant on order_items (account_id, price_variant, id);
create index order_items_by_product_payment on order_items (account_id, product, paid_at);
create index order_items_by_payment on order_items (
  account_id, paid_at, currency, product, price_variant, quantity,
  amount, amount_discount, amount_refunded, amount_tax, amount_tax_refunded, "order"
) where paid_at is not null;

create table payments (
  account_id text not null,
  id text not null,
  status text not null,
  -- A person began the payment.
  by_hand integer not null default 0,
  order_id text not null,
  checkout text,
  subscription text,
  invoice text,
  -- The formation whose fee is paid. Such a payment has no order, since a fee of the service is no sale of the account.
  formation text,
  amount bigint not null,
  currency text not null,
  provider text not null,
  reference text,
  -- The signed transfer of x402, as network/payer/nonce. A transfer pays once, for any account.
  transfer text,
  method text,
  url text,
  failure_message text,
  failure_code text,
  settle_job text,
  expires_at text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index payments_by_checkout on payments (account_id, checkout, id) where checkout is not null;
create unique index payments_of_transfers on payments (transfer);

create table charges (
  account_id text not null,
  id text not null,
  "order" text not null,
  payment text not null,
  amount bigint not null,
  currency text not null,
  amount_refunded bigint not null,
  status text not null,
  processor text not null,
  processor_reference text,
  payer text,
  network text,
  failure_message text,
  failure_code text,
  created_at text not null,
  primary key (account_id, id)
);

create table refunds (
  account_id text not null,
  id text not null,
  "order" text not null,
  charge text,
  payment text,
  amount bigint not null,
  amount_tax bigint not null default 0,
  currency text not null,
  reason text,
  notes text,
  -- The refund counts towards `refund_limits` of the account.
  within_limit integer not null default 0,
  status text not null,
  provider text not null,
  reference text,
  failure_message text,
  metadata text not null,
  created_at text not null,
  primary key (account_id, id)
);
create index refunds_by_order on refunds (account_id, "order", id);

-- Disputed payments, with what their bank says and what the shop has answered. Orders that were disputed before disputes were kept have none.
create table disputes (
  account_id text not null,
  id text not null,
  "order" text not null,
  payment text not null,
  reference text not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  inquiry integer not null,
  reason text not null,
  due_at text,
  response text,
  response_status text,
  response_error text,
  answer text,
  evidence text,
  responded_at text,
  responded_by text,
  within_limit integer not null default 0,
  closed_at text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index disputes_of_order on disputes (account_id, "order", reference);
create index disputes_to_answer on disputes (account_id, due_at) where status = 'needs_response';

create table subscriptions (
  account_id text not null,
  id text not null,
  status text not null,
  customer text not null,
  -- The place where the subscription is taxed, as its buyer said, until the customer is changed.
  country text,
  region text,
  vat_id text,
  price_variant text not null,
  product text not null,
  "order" text not null,
  discount text,
  quantity integer not null,
  amount bigint not null,
  currency text not null,
  current_period_start text,
  current_period_end text,
  trial_ends_at text,
  ends_at text,
  canceled integer not null,
  paused integer not null,
  canceled_at text,
  cancellation_reason text,
  paused_at text,
  resumes_at text,
  payments_count integer not null,
  -- Periods that were charged elsewhere.
  imported_payments_count integer not null default 0,
  terms text not null,
  anchor text,
  periods integer not null,
  first_charged_at text,
  provider text not null,
  -- The system that charged it before may still do so; the buyer cannot resume it until then.
  awaits_takeover integer not null default 0,
  method text,
  due_job text,
  -- The job that tells the buyer of the next renewal or of the end of the trial.
  notice_job text,
  unpaid_since text,
  -- The price of the unpaid period, how many payments of it failed, and why the last one did.
  amount_due bigint,
  failed_payments_count integer not null default 0,
  last_payment_error text,
  last_payment_error_code text,
  -- Since when charges wait for a connection, and since when they could be made again.
  held_since text,
  due_since text,
  paying text,
  metadata text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index subscriptions_by_customer on subscriptions (account_id, customer, id);
-- Reports and the overview sum these columns without reading rows.
create index subscriptions_by_times on subscriptions (
  account_id, price_variant, currency, status, created_at, first_charged_at, ends_at, paused_at, unpaid_since, amount
);
create index subscriptions_past_due on subscriptions (account_id, id) where status in ('past_due', 'unpaid');
-- These sum money at risk: what is unpaid, and what was lost.
create index subscriptions_at_risk on subscriptions (account_id, currency, amount_due) where status in ('past_due', 'unpaid');
create index subscriptions_lost on subscriptions (account_id, ends_at, currency, amount_due)
  where status = 'canceled' and unpaid_since is not null;

-- A buyer's way to another card for the subscriptions, at the provider: one at a time for each customer.
create table card_changes (
  account_id text not null,
  id text not null,
  customer text not null,
  provider text not null,
  status text not null,
  reference text,
  url text,
  failure_message text,
  created_at text not null,
  expires_at text not null,
  primary key (account_id, id)
);
create unique index card_changes_customer on card_changes (account_id, customer);

create table invoices (
  account_id text not null,
  id text not null,
  number text not null,
  sequence integer not null,
  status text not null,
  price_variant text not null,
  quantity integer not null,
  amount bigint not null,
  amount_tax bigint not null default 0,
  tax_inclusive integer not null default 0,
  tax_lines text not null default '[]',
  reverse_charge integer not null default 0,
  currency text not null,
  line text not null,
  customer text,
  customer_name text,
  email_address text not null,
  country text,
  region text,
  vat_id text,
  tax text,
  description text,
  due_at text not null,
  paid_at text,
  voided_at text,
  "order" text,
  collection_method text not null,
  charge_buyer_fee integer not null,
  due_job text,
  paying text,
  metadata text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, sequence)
);
create index invoices_by_customer on invoices (account_id, customer, id);
create index invoices_by_price_variant on invoices (account_id, price_variant);
create index invoices_past_due on invoices (account_id, id) where status = 'past_due';
create index invoices_by_amount on invoices (account_id, (amount + 0), id) where length(id) > 0;
create index invoices_at_risk on invoices (account_id, currency, amount) where status = 'past_due';

-- A buyer's right to use what was bought.
create table access_grants (
  account_id text not null,
  id text not null,
  customer text not null,
  product text not null,
  price_variant text not null,
  order_id text not null,
  subscription text,
  starts_at text not null,
  ends_at text,
  primary key (account_id, id)
);
create index access_grants_by_customer on access_grants (account_id, customer);
create index access_grants_by_order on access_grants (account_id, order_id);
create index access_grants_by_subscription on access_grants (account_id, subscription) where subscription is not null;

-- An account's own connections to payment providers. Payments, subscriptions and card changes name the connection as their provider.
create table payment_connections (
  account_id text not null,
  id text not null,
  provider text not null,
  provider_account text not null,
  name text,
  live integer not null,
  access text not null,
  status text not null,
  sealed_key text,
  key_hint text,
  sealed_notices_secrets text,
  notices_id text,
  details text not null default '{}',
  refused_at text,
  refused_reason text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index payment_connections_current on payment_connections (account_id) where status = 'current';
create index payment_connections_provider_account on payment_connections (provider_account);
create unique index payment_connections_place on payment_connections (account_id, provider, provider_account, live);

-- How an account takes payments by x402: at most one row, whose id is that of the account. Without a row it takes none.
create table x402_configurations (
  account_id text not null,
  id text not null,
  x402_enabled integer not null,
  x402_wallet_address text,
  x402_chain text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- === Content ===

create table blog_categories (
  account_id text not null,
  id text not null,
  name text not null,
  name_key text not null,
  description text,
  slug text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  unique (account_id, slug)
);

create table blog_posts (
  account_id text not null,
  id text not null,
  title text not null,
  slug text not null,
  content text not null,
  status text not null,
  excerpt text,
  category text,
  published_at text,
  seo_title text,
  seo_description text,
  indexable integer not null,
  featured_image_url text,
  featured_image_alt text,
  scheduled_at text,
  author text,
  search_text text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, slug)
);
create index blog_posts_by_category on blog_posts (account_id, category);

create table legal_pages (
  account_id text not null,
  id text not null,
  kind text not null,
  slug text not null,
  title text not null,
  content text not null,
  published integer not null,
  place integer not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, slug)
);

-- === E-mails ===

create table emails (
  account_id text not null,
  id text not null,
  "to" text not null,
  customer text,
  subject text not null,
  html text,
  text text,
  status text not null,
  reply_to text,
  -- The page on which the reader unsubscribes from this kind of e-mail.
  stop_url text,
  sent_at text,
  error_message text,
  metadata text not null,
  from_name text not null,
  from_address text not null,
  created_at text not null,
  primary key (account_id, id)
);
create index emails_created on emails (created_at);
create index emails_by_customer on emails (account_id, customer, id) where customer is not null;
create index emails_by_recipient on emails (account_id, (lower("to")), id) where length(id) > 0;
-- Home counts these without reading rows.
create index emails_failed on emails (account_id, created_at) where status = 'failed';

-- The text of e-mails, without the secrets of their links. It is kept as long as the e-mail.
create table email_bodies (
  account_id text not null,
  id text not null,
  sealed text not null,
  created_at text not null,
  primary key (account_id, id)
);
create index email_bodies_created on email_bodies (created_at);

-- The e-mails that an account sends to its buyers, where `user_id` is empty, and those that a person of the team wants. Without a row, the default of
-- the e-mail holds.
create table letter_choices (
  account_id text not null,
  user_id text not null,
  letter text not null,
  wanted integer not null,
  primary key (account_id, user_id, letter)
);

-- The next e-mail to the team: the job that sends it, the moment from which on events count, and the last one.
create table letter_turns (
  account_id text not null,
  letter text not null,
  job text,
  since text not null,
  last_at text,
  primary key (account_id, letter)
);

-- The rest of an account's budgets of e-mails, for each kind, and for each kind and hashed recipient. It is counted in real time. A row that was not
-- touched for a day is full and is deleted.
create table letter_buckets (
  account_id text not null,
  bucket text not null,
  permits double precision not null,
  refilled_at double precision not null,
  primary key (account_id, bucket)
);
create index letter_buckets_refilled on letter_buckets (refilled_at);

-- === Tasks and the sources of their events ===

create table tasks (
  account_id text not null,
  id text not null,
  name text not null,
  description text,
  trigger_type text not null,
  cron_expression text,
  interval_seconds integer,
  scheduled_at text,
  timezone text not null,
  event_types text not null,
  event_source text,
  delivery_methods text not null,
  approval_mode text not null,
  trust_events integer not null default 0,
  model_id text,
  active integer not null,
  expires_at text,
  last_run text,
  -- When the owner was last told, in real time, that a run had failed.
  failure_told_at text,
  next_run_at text,
  runs_count integer not null,
  owner_user text not null,
  owner_token text,
  -- JSON: others whose rights bound what the task does, [{"userId": …, "tokenId": …}].
  limits text not null default '[]',
  scheduled_from text,
  due_job text,
  created_at text not null,
  updated_at text not null,
  prompt text not null,
  primary key (account_id, id)
);
-- Every event of an account looks for the tasks that it starts.
create index tasks_by_trigger on tasks (account_id, trigger_type, active, id);
create index tasks_by_event_source on tasks (account_id, event_source) where event_source is not null;
create index tasks_by_owner_token on tasks (owner_token) where owner_token is not null;

create table task_runs (
  account_id text not null,
  id text not null,
  task_id text not null,
  -- Null once the task is deleted.
  task text,
  task_name text not null,
  status text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  credits_consumed integer not null,
  tool_calls_count integer not null,
  duration_ms bigint,
  started_at text,
  completed_at text,
  chain text not null,
  plan text,
  runner_job text,
  limits text not null default '[]',
  -- JSON: people who approved the plan of the run.
  approvers text not null default '[]',
  -- The program of the run has committed changes, so it cannot be canceled any more.
  kept integer not null default 0,
  asked text,
  created_at text not null,
  updated_at text not null,
  question text,
  input text,
  summary text,
  error_message text,
  event text,
  primary key (account_id, id)
);
create index task_runs_by_task on task_runs (account_id, task_id, id);
create index task_runs_by_status on task_runs (account_id, status, id);
create index task_runs_by_plan on task_runs (account_id, plan) where plan is not null;
-- Home counts those of the last days.
create index task_runs_failed on task_runs (account_id, completed_at) where status = 'failed';

create table event_sources (
  account_id text not null,
  id text not null,
  provider text not null,
  event_type text not null,
  name text,
  config text not null,
  status text not null,
  last_event_at text,
  error_message text,
  sealed_secrets text,
  failure_count integer not null,
  job text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create table event_source_memories (
  account_id text not null,
  event_source text not null,
  memory text not null,
  primary key (account_id, event_source)
);

create table event_source_deliveries (
  account_id text not null,
  event_source text not null,
  delivery_key text not null,
  received_at text not null,
  primary key (account_id, event_source, delivery_key)
);
create index event_source_deliveries_by_time on event_source_deliveries (received_at);

-- === Programs and models ===

create table program_runs (
  account_id text not null,
  id text not null,
  user_id text not null,
  caller_id text not null,
  caller_kind text not null default 'token',
  task_run text,
  plan text,
  -- The background program that the run was a batch of.
  background text,
  kind text not null,
  code text not null,
  outcome text not null,
  error text,
  error_hint text,
  error_line integer,
  committed text not null,
  changes text not null default '{}',
  dry_run integer not null,
  runs integer not null,
  calls text not null,
  calls_count integer not null,
  duration_ms double precision not null,
  -- Bytes that the account's runs have taken up to this one. Runs beyond the quota are deleted.
  written double precision not null default 0,
  created_at text not null,
  primary key (account_id, id)
);
create index program_runs_started on program_runs (created_at);
create index program_runs_written on program_runs (account_id, written);

create table program_plans (
  account_id text not null,
  id text not null,
  user_id text not null,
  caller_id text not null,
  caller_kind text not null default 'token',
  -- The token that planned it; null for a person.
  planner_token text,
  limits text not null default '[]',
  task_run text,
  -- JSON: the rights that the calls of the program needed; null where it was planned before this was kept.
  needs text,
  proposed integer not null default 0,
  note text,
  -- A client waits for the decision; `answer` is then the encrypted answer of applying the plan.
  awaited integer not null default 0,
  code text not null,
  changes text not null,
  shown text not null,
  -- JSON: what follows the commit, by kind; null where it was planned before this was kept.
  consequences text,
  state text not null,
  -- The plan that this one was made again from, and the one that replaced this one.
  replaces text,
  replaced_by text,
  -- When the approvers were e-mailed.
  announced_at text,
  applier_id text,
  decided_by text,
  answer text,
  -- JSON: the rights of the first caller, as in `idempotency_keys`.
  answer_rights text,
  created_at text not null,
  expires_at text not null,
  decided_at text,
  primary key (account_id, id)
);
create index program_plans_expired on program_plans (expires_at);
create index program_plans_open on program_plans (account_id, id) where state = 'open';
create index program_plans_by_token on program_plans (planner_token) where planner_token is not null;
create index program_plans_by_run on program_plans (account_id, task_run) where task_run is not null;

create table program_results (
  account_id text not null,
  once_key text not null,
  fingerprint text not null,
  answer text not null,
  -- JSON: the rights of the first caller, as in `idempotency_keys`.
  rights text,
  committed_at text not null,
  primary key (account_id, once_key)
);
create index program_results_committed on program_results (committed_at);

-- Programs that run batch by batch.
create table background_programs (
  account_id text not null,
  id text not null,
  state text not null,
  code text not null,
  caller_kind text not null,
  caller_id text not null,
  user_id text not null,
  token_id text,
  limits text not null,
  approvers text not null,
  -- JSON: the rights that the program started with. Only callers who still have all of them see what it returned. Null where they are not known.
  rights text,
  task_run text,
  origin text,
  plan text,
  list text not null,
  batch_size integer not null,
  rows_count integer not null,
  place integer not null,
  left_out_count integer not null,
  batches_count integer not null,
  calls_paid integer not null,
  changes text not null,
  last_value text,
  value_sum double precision,
  operations text,
  asked_operations text,
  error_type text,
  error text,
  error_line integer,
  error_hint text,
  job text,
  next_at text,
  started_at text,
  finished_at text,
  -- How it ended for the first time, where it was resumed.
  first_end text,
  expires_at text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index background_programs_by_state on background_programs (account_id, state, id);
create index background_programs_by_plan on background_programs (account_id, plan) where plan is not null;
create index background_programs_expired on background_programs (expires_at);

-- The rows of a background program: ids in order, without their common prefix, separated by spaces. `place` is that of the first.
create table background_rows (
  account_id text not null,
  program_id text not null,
  place integer not null,
  ids text not null,
  expires_at text,
  primary key (account_id, program_id, place)
);
create index background_rows_expired on background_rows (expires_at);

-- The model that an account brings itself. Accounts without a row use that of the service.
create table own_models (
  account_id text not null,
  id text not null,
  provider text not null,
  model_id text not null,
  base_url text,
  sealed_key text,
  tokens_per_day integer not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index own_models_account on own_models (account_id);

-- Tokens of models that an account has used on a day of UTC.
create table model_tokens (
  account_id text not null,
  day text not null,
  tokens double precision not null,
  -- The share of the account's own model, which the operator does not pay for.
  own_tokens double precision not null default 0,
  primary key (account_id, day)
);

-- === Events and webhooks ===

create table events (
  account_id text not null,
  id text not null,
  type text not null,
  resource_id text not null,
  data text not null,
  previous_attributes text,
  created_at text not null,
  primary key (account_id, id)
);
create index events_created on events (created_at);
create index events_by_resource on events (account_id, resource_id, id);

create table webhook_endpoints (
  account_id text not null,
  id text not null,
  url text not null,
  status text not null,
  enabled_events text not null,
  format text not null,
  description text,
  api_version text not null,
  sealed_secret text not null,
  starts_after text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- The state of deliveries to an endpoint, and the process that makes them. They are not part of the endpoint, which every change of the account reads,
-- so that neither waits for the other.
create table webhook_queues (
  account_id text not null,
  endpoint_id text not null,
  last_delivery_at text,
  failure_count integer not null,
  failing_since text,
  holder text,
  leased_until bigint not null,
  primary key (account_id, endpoint_id)
);
create unique index webhook_queues_by_endpoint on webhook_queues (endpoint_id);

-- `payload` comes last, so that the other columns are read without it.
create table webhook_events (
  account_id text not null,
  id text not null,
  type text not null,
  api_version text not null,
  webhook_endpoint text not null,
  event_group text not null,
  status text not null,
  attempts integer not null,
  response_status integer,
  error_message text,
  next_attempt_at text,
  delivered_at text,
  queue text,
  due_ms bigint not null,
  finished_at text,
  created_at text not null,
  updated_at text not null,
  response_body text,
  payload text not null,
  primary key (account_id, id)
);
create index webhook_events_queued on webhook_events (queue, webhook_endpoint, id) where queue is not null;
create index webhook_events_waiting on webhook_events (due_ms) where queue = 'waiting';
create index webhook_events_by_endpoint on webhook_events (account_id, webhook_endpoint, id);
create index webhook_events_by_status on webhook_events (account_id, status, id);
create index webhook_events_finished on webhook_events (finished_at) where finished_at is not null;
create index webhook_events_by_group on webhook_events (account_id, event_group, id);

-- Every attempt to deliver an event, with the beginning of the answer.
create table webhook_attempts (
  account_id text not null,
  id text not null,
  webhook_event text not null,
  number integer not null,
  response_status integer,
  error_message text,
  duration_ms integer not null,
  created_at text not null,
  response_body text,
  primary key (account_id, id)
);
create index webhook_attempts_by_event on webhook_attempts (account_id, webhook_event, id);
create index webhook_attempts_created on webhook_attempts (created_at);

-- === Requests, lists and jobs ===

create table idempotency_keys (
  account_id text not null,
  user_id text not null,
  idempotency_key text not null,
  fingerprint text not null,
  -- JSON: the rights of the first caller. Only callers who still have all of them get the stored answer. Null where they are not known.
  rights text,
  claimed_at text not null,
  status integer,
  body text,
  primary key (account_id, user_id, idempotency_key)
);
create index idempotency_keys_claimed on idempotency_keys (claimed_at);

create table rate_buckets (
  account_id text not null,
  caller_id text not null,
  bucket text not null,
  permits double precision not null,
  refilled_at double precision not null,
  primary key (account_id, caller_id, bucket)
);

-- Deleted rows, so that a cursor that names one still finds its place in a list.
create table tombstones (
  account_id text not null,
  id text not null,
  sort_keys text not null,
  deleted_at text not null,
  primary key (account_id, id)
);
create index tombstones_deleted on tombstones (deleted_at);

create table jobs (
  account_id text not null,
  id text not null,
  name text not null,
  -- `due`: the job is one transaction; `outside`: it works outside as well; `long`: for minutes.
  lane text not null default 'outside',
  -- The run of a task that the job comes from, so that what the job does comes from it too.
  origin text,
  payload text not null,
  state text not null,
  attempts integer not null,
  run_at text not null,
  leased_until text,
  last_error text,
  created_at text not null,
  finished_at text,
  primary key (account_id, id)
);
create index jobs_due on jobs (state, run_at);
create index jobs_finished on jobs (finished_at);
create index jobs_by_lane on jobs (state, lane, account_id, run_at, id);

-- The latest requests of each account, without their bodies.
create table api_requests (
  account_id text not null,
  id text not null,
  transport text not null,
  method text not null,
  path text not null,
  operation text,
  status integer not null,
  error_code text,
  error_message text,
  -- JSON: names of the parameters that were wrong.
  parameters text not null,
  caller text not null,
  user_id text,
  duration_ms integer not null,
  -- Requests of the same moment that were not kept.
  left_out integer not null,
  created_at text not null,
  primary key (account_id, id)
);
create index api_requests_created on api_requests (created_at);

-- The log of people and programs: one row for each operation that changed something, and one for each program.
create table log_entries (
  account_id text not null,
  id text not null,
  kind text not null,
  operation text,
  resource_id text,
  -- JSON: names of the fields that were given, without their values.
  fields text not null,
  -- JSON: how many resources changed, by event type.
  changes text not null,
  user_id text,
  caller_kind text not null,
  caller_id text not null,
  approver_id text,
  plan text,
  task_run text,
  created_at text not null,
  primary key (account_id, id)
);
create index log_entries_of_resources on log_entries (account_id, resource_id, id);
create index log_entries_by_age on log_entries (created_at);
