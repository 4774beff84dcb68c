// Asks the type checker of Go where names are defined: one JSON list of places on stdin, one of answers on stdout.
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

type site struct {
	File string
	Byte int
}

type answer struct {
	File *string `json:"file"`
	Line int     `json:"line"`
	Kind string  `json:"kind"`
}

type checker struct {
	root, module string
	fset         *token.FileSet
	std          types.Importer
	done         map[string]*types.Package
	// What names at places mean, by file and byte.
	uses map[string]map[int]types.Object
}

func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if path == c.module || strings.HasPrefix(path, c.module+"/") {
		return c.check(filepath.Join(c.root, strings.TrimPrefix(path, c.module)), path), nil
	}
	return c.std.Import(path)
}

// Type-checks the package of a folder with its tests; what is missing is passed over.
func (c *checker) check(folder, path string) *types.Package {
	if known, ok := c.done[folder]; ok {
		return known
	}
	c.done[folder] = types.NewPackage(path, filepath.Base(folder))
	found, err := build.ImportDir(folder, 0)
	if found == nil || (err != nil && len(found.GoFiles)+len(found.TestGoFiles)+len(found.XTestGoFiles) == 0) {
		return c.done[folder]
	}
	checked := c.files(folder, path, append(found.GoFiles, found.TestGoFiles...))
	c.done[folder] = checked
	c.files(folder, path+"_test", found.XTestGoFiles)
	return checked
}

func (c *checker) files(folder, path string, names []string) *types.Package {
	var files []*ast.File
	for _, name := range names {
		file, _ := parser.ParseFile(c.fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if file != nil {
			files = append(files, file)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, c.fset, files, info)
	for ident, object := range info.Uses {
		place := c.fset.Position(ident.Pos())
		if c.uses[place.Filename] == nil {
			c.uses[place.Filename] = map[int]types.Object{}
		}
		c.uses[place.Filename][place.Offset] = object
	}
	return checked
}

func (c *checker) answer(object types.Object) answer {
	// What a generic function or type was made from is what stands in the text.
	switch generic := object.(type) {
	case *types.Func:
		object = generic.Origin()
	case *types.Var:
		object = generic.Origin()
	}
	found := answer{Kind: "definition"}
	switch value := object.(type) {
	case *types.Var:
		isTop := value.Pkg() != nil && value.Parent() == value.Pkg().Scope()
		if !isTop && !value.IsField() {
			found.Kind = "local var"
		} else {
			found.Kind = "var"
		}
	case *types.PkgName:
		found.Kind = "alias"
	case *types.TypeName:
		if _, ok := value.Type().(*types.TypeParam); ok {
			found.Kind = "type parameter"
		}
	}
	place := c.fset.Position(object.Pos())
	if inside, err := filepath.Rel(c.root, place.Filename); err == nil && place.Filename != "" && !strings.HasPrefix(inside, "..") {
		found.File = &inside
		found.Line = place.Line
	}
	return found
}

func main() {
	root, module := os.Args[1], os.Args[2]
	fset := token.NewFileSet()
	c := &checker{root, module, fset, importer.ForCompiler(fset, "source", nil), map[string]*types.Package{}, map[string]map[int]types.Object{}}
	var sites []site
	if err := json.NewDecoder(os.Stdin).Decode(&sites); err != nil {
		panic(err)
	}
	answers := make([][]answer, 0, len(sites))
	for _, site := range sites {
		path := filepath.Join(root, site.File)
		folder := filepath.Dir(path)
		inside, _ := filepath.Rel(root, folder)
		c.check(folder, strings.TrimSuffix(module+"/"+filepath.ToSlash(inside), "/."))
		found := []answer{}
		if object, ok := c.uses[path][site.Byte]; ok {
			found = append(found, c.answer(object))
		}
		answers = append(answers, found)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}
