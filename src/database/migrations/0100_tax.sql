-- Tax by the buyer's country. Everything that is there was sold without: its tax is 0 and no country is known.
alter table accounts add column country text;
alter table accounts add column vat_id text;
alter table accounts add column tax_rates text not null default '[]';

alter table customers add column country text;
alter table customers add column region text;
alter table customers add column vat_id text;

alter table checkouts add column country text;
alter table checkouts add column region text;
alter table checkouts add column vat_id text;
alter table checkouts add column tax text;
alter table checkouts add column tax_inclusive integer not null default 0;
alter table checkouts add column tax_lines text not null default '[]';
alter table checkouts add column reverse_charge integer not null default 0;

alter table orders add column amount_tax bigint not null default 0;
alter table orders add column amount_tax_refunded bigint not null default 0;
alter table orders add column tax_inclusive integer not null default 0;
alter table orders add column tax_lines text not null default '[]';
alter table orders add column reverse_charge integer not null default 0;
alter table orders add column country text;
alter table orders add column region text;
alter table orders add column vat_id text;

alter table order_items add column amount_tax bigint not null default 0;
alter table order_items add column amount_tax_refunded bigint not null default 0;
alter table order_items add column tax_code text;

alter table refunds add column amount_tax bigint not null default 0;

alter table invoices add column country text;
alter table invoices add column region text;
alter table invoices add column vat_id text;
alter table invoices add column tax text;
alter table invoices add column amount_tax bigint not null default 0;
alter table invoices add column tax_inclusive integer not null default 0;
alter table invoices add column tax_lines text not null default '[]';
alter table invoices add column reverse_charge integer not null default 0;

-- Where the subscription is taxed: as its buyer said, until the customer is changed.
alter table subscriptions add column country text;
alter table subscriptions add column region text;
alter table subscriptions add column vat_id text;
