create table checkouts (
  account_id text not null,
  id text not null,
  status text not null,
  mode text not null,
  line_items text not null,
  lines text not null,
  currency text not null,
  subtotal bigint not null,
  amount_discount bigint not null,
  amount_tax bigint not null,
  total bigint not null,
  email text,
  customer text,
  invoice text,
  discount_code text,
  discount text,
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
  link text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- The page of a checkout is asked for by its id alone.
create index checkouts_by_id on checkouts (id);
-- Open checkouts are few: they expire after a day.
create index checkouts_that_are_open on checkouts (account_id, id) where status = 'open';
create index checkouts_by_customer on checkouts (account_id, customer) where customer is not null;
create index checkouts_by_invoice on checkouts (account_id, invoice) where invoice is not null;

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

create index checkout_links_by_id on checkout_links (id);

create table orders (
  account_id text not null,
  id text not null,
  status text not null,
  customer text not null,
  amount bigint not null,
  currency text not null,
  subtotal bigint not null,
  amount_discount bigint not null,
  amount_refunded bigint not null,
  amount_refunding bigint not null,
  disputed_from text,
  discount text,
  checkout text,
  subscription text,
  invoice text,
  charge text,
  processor text not null,
  paid_at text,
  metadata text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create index orders_by_customer on orders (account_id, customer, id);
create index orders_by_subscription on orders (account_id, subscription, id) where subscription is not null;
create index orders_by_invoice on orders (account_id, invoice) where invoice is not null;
create index orders_by_payment on orders (account_id, paid_at);

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
  amount_refunded bigint not null,
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
create index order_items_by_payment on order_items (account_id, paid_at);

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
  failure_message text,
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
  currency text not null,
  reason text,
  notes text,
  status text not null,
  provider text not null,
  reference text,
  failure_message text,
  metadata text not null,
  created_at text not null,
  primary key (account_id, id)
);

create index refunds_by_order on refunds (account_id, "order", id);

create table payments (
  account_id text not null,
  id text not null,
  status text not null,
  order_id text not null,
  checkout text,
  subscription text,
  invoice text,
  amount bigint not null,
  currency text not null,
  provider text not null,
  reference text,
  method text,
  url text,
  failure_message text,
  settle_job text,
  expires_at text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create index payments_by_checkout on payments (account_id, checkout, id) where checkout is not null;

create table subscriptions (
  account_id text not null,
  id text not null,
  status text not null,
  customer text not null,
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
  terms text not null,
  anchor text,
  periods integer not null,
  first_charged_at text,
  provider text not null,
  method text,
  due_job text,
  unpaid_since text,
  paying text,
  metadata text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create index subscriptions_by_customer on subscriptions (account_id, customer, id);
create index checkouts_by_subscription on checkouts (account_id, subscription) where subscription is not null;

create table invoices (
  account_id text not null,
  id text not null,
  number text not null,
  sequence integer not null,
  status text not null,
  price_variant text not null,
  quantity integer not null,
  amount bigint not null,
  currency text not null,
  line text not null,
  customer text,
  customer_name text,
  email_address text not null,
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
create index invoices_by_id on invoices (id);
-- The page that sells one price is asked for by the price's id alone.
create index price_variants_by_id on price_variants (id);

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

create table counters (
  account_id text not null,
  name text not null,
  value bigint not null,
  primary key (account_id, name)
);

-- Redemptions of payments that are under way: they count against max_redemptions until they succeed or fail.
alter table discounts add column reserved_count integer not null default 0;
