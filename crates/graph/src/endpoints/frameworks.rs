//! Which frameworks are known, and what gives each of them away?

use super::tokens::Family;

/// A framework whose routes can be seen in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Framework {
    Express,
    Fastify,
    NestJs,
    NextJs,
    Flask,
    FastApi,
    Django,
    Spring,
    AspNet,
    Rails,
    Laravel,
    Gin,
    Echo,
    Chi,
    Actix,
    Axum,
    Rocket,
}

/// What gives a framework away.
pub(super) struct Row {
    pub(super) framework: Framework,
    pub(super) name: &'static str,
    pub(super) languages: &'static [&'static str],
    /// Words of which one stands in a file that imports it.
    pub(super) imports: &'static [&'static str],
    /// Packages that bring it.
    pub(super) packages: &'static [&'static str],
}

const JS: &[&str] = &["javascript", "typescript", "jsx", "tsx"];

pub(super) const FRAMEWORKS: &[Row] = &[
    Row {
        framework: Framework::Express,
        name: "Express",
        languages: JS,
        imports: &["'express'", "\"express\""],
        packages: &["express"],
    },
    Row {
        framework: Framework::Fastify,
        name: "Fastify",
        languages: JS,
        imports: &["'fastify'", "\"fastify\"", "'fastify-plugin'", "\"fastify-plugin\""],
        packages: &["fastify"],
    },
    Row {
        framework: Framework::NestJs,
        name: "NestJS",
        languages: &["typescript", "javascript"],
        imports: &["'@nestjs/common'", "\"@nestjs/common\""],
        packages: &[],
    },
    Row {
        framework: Framework::NextJs,
        name: "Next.js",
        languages: JS,
        imports: &["'next", "\"next"],
        packages: &["next"],
    },
    Row {
        framework: Framework::Flask,
        name: "Flask",
        languages: &["python"],
        imports: &["from flask", "import flask", "from quart", "flask_smorest"],
        packages: &["flask"],
    },
    Row {
        framework: Framework::FastApi,
        name: "FastAPI",
        languages: &["python"],
        imports: &["from fastapi", "import fastapi"],
        packages: &["fastapi"],
    },
    Row {
        framework: Framework::Django,
        name: "Django",
        languages: &["python"],
        imports: &["from django.urls", "from django.conf.urls", "django.urls"],
        packages: &[],
    },
    Row {
        framework: Framework::Spring,
        name: "Spring",
        languages: &["java", "kotlin"],
        imports: &["org.springframework.web.bind.annotation"],
        packages: &[],
    },
    Row {
        framework: Framework::AspNet,
        name: "ASP.NET",
        languages: &["csharp"],
        imports: &["Microsoft.AspNetCore", "WebApplication.", "IEndpointRouteBuilder"],
        packages: &[],
    },
    Row {
        framework: Framework::Rails,
        name: "Rails",
        languages: &["ruby"],
        imports: &["Rails.application.routes.draw", ".routes.draw"],
        packages: &[],
    },
    Row {
        framework: Framework::Laravel,
        name: "Laravel",
        languages: &["php"],
        imports: &["Illuminate\\Support\\Facades\\Route", "Illuminate\\Routing"],
        packages: &["laravel/framework"],
    },
    Row {
        framework: Framework::Gin,
        name: "Gin",
        languages: &["go"],
        imports: &["\"github.com/gin-gonic/gin\""],
        packages: &[],
    },
    Row {
        framework: Framework::Echo,
        name: "Echo",
        languages: &["go"],
        imports: &["\"github.com/labstack/echo"],
        packages: &[],
    },
    Row {
        framework: Framework::Chi,
        name: "chi",
        languages: &["go"],
        imports: &["\"github.com/go-chi/chi"],
        packages: &[],
    },
    Row {
        framework: Framework::Actix,
        name: "Actix Web",
        languages: &["rust"],
        imports: &["actix_web"],
        packages: &[],
    },
    Row {
        framework: Framework::Axum,
        name: "axum",
        languages: &["rust"],
        imports: &["axum::", "use axum"],
        packages: &[],
    },
    Row {
        framework: Framework::Rocket,
        name: "Rocket",
        languages: &["rust"],
        imports: &["rocket::", "extern crate rocket"],
        packages: &["rocket"],
    },
];

impl Framework {
    /// The name people use.
    pub fn as_str(self) -> &'static str {
        let row = FRAMEWORKS.iter().find(|row| row.framework == self);
        row.map_or("", |row| row.name)
    }
}

/// How the languages of frameworks write strings.
pub(super) fn family(language: &str) -> Option<Family> {
    Some(match language {
        "javascript" | "typescript" | "jsx" | "tsx" => Family::JavaScript,
        "python" => Family::Python,
        "ruby" => Family::Ruby,
        "php" => Family::Php,
        "rust" => Family::Rust,
        "java" | "kotlin" | "csharp" | "go" => Family::CLike,
        _ => return None,
    })
}
