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

create table experiences (
  account_id text not null,
  id text not null,
  name text not null,
  slug text not null,
  description text,
  access_type text not null,
  item_type text not null,
  content text not null,
  products text not null,
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
  title text,
  description text,
  tags text,
  url text,
  file_url text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
