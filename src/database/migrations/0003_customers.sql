create table customers (
  account_id text not null,
  id text not null,
  email text not null,
  name text,
  first_name text,
  last_name text,
  phone_number text,
  customer_type text not null,
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
