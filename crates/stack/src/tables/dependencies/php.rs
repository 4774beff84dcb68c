//! Composer packages.

use crate::tables::TechKind::{
    Cache, Cloud, Database, Framework, Library, Orm, Service, Testing, Tool,
};
use crate::tables::TechRow as Row;

pub(super) const ROWS: &[Row] = &[
    Row("laravel/framework", Framework, "Laravel"),
    Row("symfony/framework-bundle", Framework, "Symfony"),
    Row("slim/slim", Framework, "Slim"),
    Row("cakephp/cakephp", Framework, "CakePHP"),
    Row("yiisoft/yii2", Framework, "Yii"),
    Row("drupal/core*", Framework, "Drupal"),
    Row("livewire/livewire", Framework, "Livewire"),
    Row("doctrine/orm", Orm, "Doctrine"),
    Row("guzzlehttp/guzzle", Library, "Guzzle"),
    Row("monolog/monolog", Library, "Monolog"),
    Row("twig/twig", Library, "Twig"),
    Row("predis/predis", Cache, "Redis"),
    Row("mongodb/mongodb", Database, "MongoDB"),
    Row("aws/aws-sdk-php", Cloud, "AWS"),
    Row("stripe/stripe-php", Service, "Stripe"),
    Row("sentry/*", Service, "Sentry"),
    Row("phpunit/phpunit", Testing, "PHPUnit"),
    Row("pestphp/pest", Testing, "Pest"),
    Row("phpstan/phpstan", Tool, "PHPStan"),
];
