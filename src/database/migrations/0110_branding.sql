-- The look of a shop: its logo, colour, font and cover, as JSON.
alter table accounts add column branding text not null default '{}';
