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

-- Accounts that are there already get theirs. The last character of an id is random, so three can be made of one.
insert into legal_pages (account_id, id, kind, slug, title, content, published, place, created_at, updated_at)
select account_id, 'legal_' || substr(id, 6, 25) || '1', 'terms_of_service', 'terms-of-service', 'Terms of service', '', 0, 1, created_at, created_at
from accounts;
insert into legal_pages (account_id, id, kind, slug, title, content, published, place, created_at, updated_at)
select account_id, 'legal_' || substr(id, 6, 25) || '2', 'privacy_policy', 'privacy-policy', 'Privacy policy', '', 0, 2, created_at, created_at
from accounts;
insert into legal_pages (account_id, id, kind, slug, title, content, published, place, created_at, updated_at)
select account_id, 'legal_' || substr(id, 6, 25) || '3', 'refund_policy', 'refund-policy', 'Refund policy', '', 0, 3, created_at, created_at
from accounts;

-- The products that include an experience follow from their prices.
alter table experiences drop column products;
create index price_variants_with_experiences on price_variants (account_id, product) where experiences <> '[]';
-- The page of a customer's purchases is asked for by the customer's id alone.
create index customers_by_id on customers (id);
