-- The own domain at which a shop is served: what the account wants, and what is verified, which no other account has.
alter table accounts add column storefront_domain text;
alter table accounts add column verified_storefront_domain text;
alter table accounts add column storefront_domain_checks integer not null default 0;
create unique index accounts_storefront_domain on accounts (verified_storefront_domain);
